#!/usr/bin/env python3
"""A whole editor for coding agents, made from docs/host-protocol.md: python3 host.py FOLDER

Type: select FILE FIRST LAST (lines, from 1), clear, mention FILE, accept, reject, quit."""
import json, os, subprocess, sys, threading

folder = os.path.realpath(sys.argv[1])
idewire = subprocess.Popen([*(sys.argv[2:] or ["idewire"]), "host", "--stdio"], encoding="utf-8",
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
diffs = {}  # what waits for an answer: the id of the diff, and that of the request
writing = threading.Lock()

def send(**message):
    with writing:
        idewire.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        idewire.stdin.flush()

def settle(diff, kind):
    request = diffs.pop(diff, None)
    if request is not None:
        send(id=request, result={"kind": kind})
    return request is not None

def listen():
    for line in idewire.stdout:
        message = json.loads(line)
        method, params = message.get("method"), message.get("params", {})
        if method == "host/openDiff":
            diffs[params["id"]] = message["id"]
            print(params["path"], params["proposed"], "accept or reject?", sep="\n", flush=True)
        elif method == "host/closeDiff":
            send(id=message["id"], result={"alreadyClosed": not settle(params["id"], "cancelled")})
        elif method == "host/listening":
            print("agents can find", folder, flush=True)
        elif method == "host/agents":
            print("connected:", *(agent["name"] for agent in params["agents"]), flush=True)
        elif method == "host/problem" or "error" in message:
            print(line, file=sys.stderr, flush=True)
    os._exit(idewire.wait())

def select(file, first, last):
    path = os.path.join(folder, file)
    with open(path, encoding="utf-8", newline="") as opened:
        lines = opened.read().split("\n")[int(first) - 1:int(last)]
    end = {"line": int(last) - 1, "character": len(lines[-1].encode("utf-16-le")) // 2}
    start = {"line": int(first) - 1, "character": 0}
    whole = {"start": start, "end": end, "text": "\n".join(lines)}
    send(method="host/state", params={"documents": [{"path": path, "active": True}],
                                      "selection": {"path": path, "ranges": [whole]}})

threading.Thread(target=listen).start()
send(id=1, method="host/hello", params={"protocol": 1, "name": "host.py", "members":
     ["openDiff", "closeDiff"], "state": {"folders": [{"path": folder}]}})
for verb, *words in map(str.split, sys.stdin):
    if verb == "quit": break
    elif verb == "select": select(*words)
    elif verb == "clear": send(method="host/state", params={"selection": None})
    elif verb == "mention": send(method="host/mention", params={"path": f"{folder}/{words[0]}"})
    elif verb in ("accept", "reject") and diffs: settle(next(iter(diffs)), verb + "ed")
idewire.stdin.close()
