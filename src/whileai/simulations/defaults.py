"""Every named constant of the library, each with its unit and source."""

from __future__ import annotations

# --- tests and intervals
ALPHA = 0.05  # two-sided test level; Miller 2024, arXiv:2411.00640, section 5
CI_LEVEL = 1 - ALPHA  # level of every interval, so that interval and verdict agree
Z_95 = 1.96  # normal quantile at 0.975, as tables print it
POWER = 0.8  # chance to see a real effect; Miller 2024, section 5
BOOTSTRAP_DRAWS = 2000  # draws; Efron and Tibshirani 1993, section 13.3: at least 1000 for percentile ends
MIN_CI_TASKS = 3  # tasks an interval over tasks needs; convention
MIN_RERUNS = 3  # re-runs behind a run-to-run deviation; convention, Lambert 2025, chapter Evaluation
MIN_PAIRED_TASKS = 5  # shared tasks a paired comparison needs; the sign-flip p of 5 tasks is at least 2/32
MIN_TRAIN_SEEDS = 2  # training seeds an arm; convention, Lambert 2025, chapter Evaluation; Miller 2024
MIN_HOLDOUT_TASKS = 2  # least answer of holdout_size; convention
FIXED_POINT_STEPS = 12  # steps of detectable_effect; measured
SKEWED_MEAN_MIN_TASKS = 10  # tasks below which a skewed mean's interval covers less than it says; intervals.md, 2
SKEWED_MEAN_SKEWNESS = 1.0  # skewness above which that is said; intervals.md, section 2

# --- pass rates
BASE_PASS_RATE = 0.6  # pass rate assumed when none is measured; centre of the band
CEILING_PASS_RATE = 0.9  # pass rate above which a holdout has no room; convention
CEILING_MIN_TASKS_WITH_ROOM = 20  # tasks; convention
ROLLOUTS_PER_TASK = 4  # least k of pass^k; tau-bench arXiv:2406.12045, tau2-bench arXiv:2506.07982
PASS_THRESHOLD = 0.5  # judge reward that counts as a pass; Lambert 2025, chapter Reward Modeling; arXiv:2411.15124
DIFFICULTY_BAND = (0.2, 0.8)  # pass rates with signal; Lambert 2025, chapter Reasoning; DAPO arXiv:2503.14476
DEFAULT_BAND = DIFFICULTY_BAND  # its other name
DIFFICULTY_BAND_ROLLOUTS = 16  # rollouts a task behind that band; Lambert 2025, chapter Reasoning
PROVE_EFFECT = 0.05  # gain worth proving, as a rate; convention
ANSWERED_GAP_POINTS = 0.10  # gap of answered shares that makes runs incomparable, as a rate; convention
ANSWERED_P_MAX = 0.01  # p below which that gap counts; convention

# --- selection for training
REJECTION_SAMPLING_MIN_K = 10  # completions a prompt; Lambert 2025, chapter Rejection Sampling
RL_ROLLOUTS_PER_PROMPT = 8  # rollouts; convention of GRPO recipes
SFT_PHRASINGS_PER_SITUATION = 3  # phrasings; convention
SFT_COMPLETIONS_PER_PROMPT = 4  # completions; convention
DEFAULT_BUDGET = 1000  # rows; convention
DEFAULT_CONCURRENCY = 32  # calls in flight; convention
DEFAULT_SELECT_TARGET = 1000  # rows; convention
SATURATION_COPIES = 5  # copies of one behaviour; convention
RULE_AXIS_CAP_REPORT = None  # rules shown in a report, all; convention
RULE_AXIS_CAP_GRID = 16  # rules in the grid; convention
HARD_SHARE_FLOOR = 0.3  # share of hard asks; convention
NEAR_DUP_JACCARD = 0.8  # shared words over all words of two asks, inclusive; convention
DECONTAM_NGRAM = 8  # words; convention of decontamination
DECONTAM_OVERLAP = 0.8  # share of n-grams; convention of decontamination
SEMANTIC_SIMILARITY = 0.85  # cosine; convention
SCAN_MOST_ROWS = 100_000  # graded rows that one process scans for reward hacks; convention

# --- judges
MIN_GOLD = 50  # gold rows; convention
MAX_GOLD_ASK = 200  # gold rows asked for at most; convention
MIN_AGREEMENT = 0.8  # share; convention
MIN_KAPPA = 0.6  # Cohen's kappa, "substantial"; Landis and Koch 1977
JUDGE_CHECK_SAMPLE = 40  # rows; convention
FN_WARN = 0.10  # false-negative share of a verifier; convention
FLIP_FLAG = 0.10  # share of verdicts that flip on a re-run; test-retest 0.889 to 0.992, arXiv:2606.19544
POSITION_FLIP_FLAG = 0.2  # share of pairs that flip with their order; Zheng et al., arXiv:2306.05685, table 2
PROBE_MIN_N = 20  # rows; convention
MAX_SKIPPED_SHARE = 0.10  # share; convention, Lambert 2025, chapter Reward Modeling
MIN_DISTINCT_PER_ASK = 3  # distinct values; convention
DEGENERATE_RHO = 0.999  # correlation that is identity up to rounding
LENGTH_GAP_FLAG = 0.15  # share; convention
HACK_THRESHOLD = 0.3  # correlation; from a reward-signal sweep, see trace.md
LEAK_MIN_QUOTE_CHARS = 12  # characters; convention
TRUNCATED_REPLY_CHARS = 600  # characters; convention
JUDGE_PAYLOAD_CHARS = 8000  # characters; convention
JUDGE_SITUATION_CHARS = 4000  # characters; convention
JUDGE_FINAL_TEXT_CHARS = 2000  # characters; convention
JUDGE_POLICY_CHARS = 2000  # characters; convention
JUDGE_MAX_TOKENS = 120  # tokens; convention
JUDGE_TEMPERATURE = 0.0  # sampling temperature; convention
DECISION_UNSURE_BAND = 0.1  # distance from the threshold; convention

# --- reading
MAX_RECORD_BYTES = 256 * 1024 * 1024  # bytes of one line, document or archive member after decompression; safety
READ_BLOCK_BYTES = 64 * 1024  # bytes a read; measured: larger blocks leave the near cache and are slower
KEPT_BAD_RECORDS = 100  # bad records whose details a reader keeps, all are counted; convention
BAD_RECORD_CHARS = 200  # characters of a bad record that are shown; convention
