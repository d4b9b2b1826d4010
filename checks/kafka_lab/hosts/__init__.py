"""Linux hosts on this machine: each an sshd with its own processes, name, files and kernel settings, in namespaces."""

from kafka_lab.hosts.machine import Machine, lacking, start, start_inside, stop
from kafka_lab.hosts.plan import NEGLECTED, RIGHT, MachinePlan, plan

__all__ = ["NEGLECTED", "RIGHT", "Machine", "MachinePlan", "lacking", "plan", "start", "start_inside", "stop"]
