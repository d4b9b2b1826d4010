"""The incidents that somebody on call meets, played on real brokers: what `runbook check` says first of each.

`python tests/benchmarks/incidents.py` starts a lab with a proxy before each broker (and one with logins, and one with
groups, for what is about those), plays one incident after the other, runs the command in each, heals, and prints a
table: the class of the answer when the incidents were first played by hand, and now. It takes half an hour; `--only`
chooses some, and `--keep FILE` keeps the answers, so that several runs make one table.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from kafka_lab.errors import LabError
from kafka_lab.places import lab_home
from support.incidents.all import INCIDENTS
from support.incidents.incident import Answer, Incident, class_of
from support.incidents.playing import keep, lab_of, play, read_kept
from support.incidents.table import table


def main() -> int:
    """Play those that were chosen; 1 where one could not be."""
    arguments = _arguments()
    chosen = [incident for incident in INCIDENTS if not arguments.only or incident.name in arguments.only]
    answers = read_kept(arguments.keep)
    if arguments.list:
        print("\n".join(f"{incident.name:28} {', '.join(incident.parts)}" for incident in chosen))
        return 0
    if arguments.missing:
        chosen = [incident for incident in chosen if incident.name not in answers]
    until = time.monotonic() + 60 * arguments.within
    failed: dict[str, str] = {}
    if not arguments.table:
        for parts in dict.fromkeys(incident.parts for incident in chosen):
            _on_one_lab([incident for incident in chosen if incident.parts == parts], arguments, answers, failed, until)
    print("\n".join(table(INCIDENTS, answers)))
    for name, why in failed.items():
        print(f"- {name}: {why}")
    return 1 if failed else 0


def _on_one_lab(
    chosen: list[Incident],
    arguments: argparse.Namespace,
    answers: dict[str, Answer],
    failed: dict[str, str],
    until: float,
) -> None:
    if time.monotonic() > until:
        return
    with lab_of(chosen[0].parts, arguments.home, _progress) as lab:
        for incident in chosen:
            if time.monotonic() > until:
                _progress("time is over: the rest is left out")
                break
            try:
                answers[incident.name] = play(incident, lab.name, arguments.home, arguments.bundles, arguments.deadline)
                keep(arguments.keep, answers)
                _progress(f"{incident.name}: {class_of(incident, answers[incident.name])}")
            except LabError as error:
                failed[incident.name] = str(error).partition("\n")[0]
                _progress(f"{incident.name}: {error}")


def _progress(line: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", metavar="NAME", help="only this incident; repeatable")
    parser.add_argument("--list", action="store_true", help="name them, and play none")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the answers there, with those of earlier runs")
    parser.add_argument("--bundles", type=Path, metavar="DIR", help="keep what was seen there, to judge it with --from")
    parser.add_argument("--missing", action="store_true", help="only those that FILE has no answer of")
    parser.add_argument("--table", action="store_true", help="print the table of what FILE holds, and play none")
    parser.add_argument("--within", type=float, default=60, metavar="MINUTES", help="begin none after that time")
    parser.add_argument(
        "--deadline", metavar="TIME", help="of each run, instead of its own: on a machine that others load"
    )
    parser.add_argument("--home", type=Path, default=lab_home(), metavar="DIR", help="where the labs are")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
