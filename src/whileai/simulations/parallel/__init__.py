"""One machine, all of its cores: a source in parts, each read and worked on by one of several processes.

Every part gives a value (a tally, lean records, lines to write), and the values come back in the order of the rows, so
that what is made of them does not depend on how many processes there were, or on where the parts begin.
"""

from whileai.simulations.parallel.crew import Crew
from whileai.simulations.parallel.reading import ForeignRowsError, cores, in_order, parts_for, rows_at

__all__ = ["Crew", "ForeignRowsError", "cores", "in_order", "parts_for", "rows_at"]
