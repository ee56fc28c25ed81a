"""What was measured, in a table and for programs."""

import sys


class Report:
    def __init__(self):
        self.rows = []

    def add(self, name, value, unit, least=None, most=None, wrong=False, note=""):
        """A figure, with what it is to be: at least or at most so much. `wrong` is what must not be, however fast."""
        met = None if least is None and most is None else (least is None or value >= least) and (most is None or value <= most)
        row = {"measure": name, "value": round(value, 1), "unit": unit, "at_least": least, "at_most": most, "met": met,
               "wrong": wrong, "note": note}
        self.rows.append(row)
        print(" ".join(self.cells(row)), file=sys.stderr, flush=True)

    @property
    def is_wrong(self):
        return any(row["wrong"] for row in self.rows)

    @staticmethod
    def cells(row):
        value = f"{row['value']:,.0f}" if row["value"] >= 100 else f"{row['value']:g}"
        goal = " and ".join(f"{word} {row[key]:,}" for word, key in (("≥", "at_least"), ("≤", "at_most")) if row[key] is not None)
        verdict = "WRONG" if row["wrong"] else {True: "met", False: "missed", None: ""}[row["met"]]
        return [row["measure"], value, row["unit"], goal, verdict, row["note"]]

    def text(self):
        lines = [["", "measured", "", "goal", "", ""], *map(self.cells, self.rows)]
        widths = [max(len(line[column]) for line in lines) for column in range(6)]
        aligned = [[cell.rjust(width) if column == 1 else cell.ljust(width) for column, (cell, width) in enumerate(zip(line, widths))]
                   for line in lines]
        return "\n".join("  ".join(line).rstrip() for line in aligned)
