"""What will the policy learn from this reward? Name it before training, and after."""

from whileai.simulations.score.hack_scan.diff import hack_scan_diff
from whileai.simulations.score.hack_scan.scan import hack_scan
from whileai.simulations.score.hack_scan.text import HackScanReport, format_hack_scan, format_hack_scan_diff
from whileai.simulations.score.hack_scan.verdict import REGIMES

__all__ = ["REGIMES", "HackScanReport", "format_hack_scan", "format_hack_scan_diff", "hack_scan", "hack_scan_diff"]
