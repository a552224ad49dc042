#!/usr/bin/env python3
"""An editor for coding agents, made from docs/reference/host-protocol.md: python3 host.py FOLDER
Type: select FILE FIRST LAST (lines, from 1), clear, mention FILE, accept, reject, quit."""
import json, os, subprocess, sys, threading

def start(*command):
    try: return subprocess.Popen([*command, "host", "--stdio"], encoding="utf-8",
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError: return None
sys.stdout.reconfigure(errors="backslashreplace")
if len(sys.argv) < 2: sys.exit(__doc__)
if not os.path.isdir(folder := os.path.realpath(sys.argv[1])): sys.exit(f"{folder} is not a folder")
idewire = start(*sys.argv[2:]) if sys.argv[2:] else start("idewire") or start("npx", "idewire")
if idewire is None: sys.exit("host.py: idewire was not found; npm install -g idewire installs it")
diffs, writing = {}, threading.Lock()  # of each diff that waits the id of its request

def send(**message):
    with writing:
        try: print(json.dumps({"jsonrpc": "2.0", **message}), file=idewire.stdin, flush=True)
        except OSError: idewire.wait()  # it has ended, and listen() ends this program

def settle(diff, kind):
    request = diffs.pop(diff, None)
    if request is not None: send(id=request, result={"kind": kind})
    return request is not None

def listen():
    for message in map(json.loads, idewire.stdout):
        method, params = message.get("method"), message.get("params", {})
        if method == "host/openDiff":
            diffs[params["id"]] = message["id"]
            print(params["path"], params["proposed"], "accept or reject?", sep="\n", flush=True)
        elif method == "host/closeDiff":
            send(id=message["id"], result={"alreadyClosed": not settle(params["id"], "cancelled")})
        elif method == "host/listening": print("agents can find", folder, flush=True)
        elif method == "host/agents":
            print("connected:", *(a.get("name", "an agent") for a in params["agents"]), flush=True)
        elif method == "host/problem" or "error" in message: print(message, file=sys.stderr)
    os._exit(idewire.wait())

def select(file, first, last):
    path, first, last = os.path.join(folder, file), int(first) - 1, int(last) - 1
    with open(path, encoding="utf-8", newline="") as opened:
        lines = opened.read().split("\n")[first:last + 1]
    end = {"line": last, "character": len(lines[-1].encode("utf-16-le")) // 2}
    whole = {"start": {"line": first, "character": 0}, "end": end, "text": "\n".join(lines)}
    send(method="host/state", params={"documents": [{"path": path, "active": True}],
                                      "selection": {"path": path, "ranges": [whole]}})
threading.Thread(target=listen).start()
send(id=1, method="host/hello", params={"protocol": 1, "name": "host.py", "members":
     ["openDiff", "closeDiff"], "state": {"folders": [{"path": folder}]}})
for verb, _, rest in (line.rstrip("\n").partition(" ") for line in sys.stdin):
    try:
        if verb == "quit": break
        elif verb == "select": select(*rest.rsplit(" ", 2))
        elif verb == "clear": send(method="host/state", params={"selection": None})
        elif verb == "mention": send(method="host/mention", params={"path": f"{folder}/{rest}"})
        elif verb in ("accept", "reject") and diffs: settle(next(iter(diffs)), verb + "ed")
    except (OSError, ValueError, TypeError, IndexError) as error: print(error, file=sys.stderr)
idewire.stdin.close()
