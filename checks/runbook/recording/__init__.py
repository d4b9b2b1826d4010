"""Raw answers: what systems answered to a connection's questions, kept so that today's code can read them again.

The seam is the lowest layer of each connection that still speaks in plain records: methods marked by `question`.
"""
