"""Checks the YAML of this folder: that it fits the schemas of Kubernetes, that its parts fit each other and leap-server.

Usage: python3 check.py LEAP_SERVER

LEAP_SERVER is the program, built with the package trait Server. Needs the packages PyYAML and kubernetes-validate, which brings the
schemas of Kubernetes. No cluster is needed, and none is touched: that the images build and the pods start is not checked.
"""
import pathlib, re, subprocess, sys, urllib.request

import yaml

try:
    import kubernetes_validate
except ImportError:
    kubernetes_validate = None

here = pathlib.Path(__file__).parent
failures = 0


def check(what, holds):
    global failures
    failures += not holds
    print("ok" if holds else "FAILED", what)


documents = {}
for name in ["deployment.yaml", "autoscaling.yaml"]:
    for document in yaml.safe_load_all((here / name).read_text()):
        documents[document["kind"]] = document
        # What Prometheus' operator defines is not part of Kubernetes.
        if document["kind"] == "PodMonitor":
            continue
        if kubernetes_validate is None:
            print("skipped: kubernetes-validate is not installed, so", document["kind"], "is not compared with its schema")
            continue
        try:
            kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
            check(f"{name}: {document['kind']} fits its schema", True)
        except Exception as error:
            check(f"{name}: {document['kind']} fits its schema: {error}", False)

deployment = documents["Deployment"]["spec"]
pod = deployment["template"]["spec"]
server = pod["containers"][0]
labels = deployment["template"]["metadata"]["labels"].items()
check("deployment, service, budget and monitor select the pods", all(
    selector.items() <= labels for selector in [
        deployment["selector"]["matchLabels"], documents["Service"]["spec"]["selector"],
        documents["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        documents["PodMonitor"]["spec"]["selector"]["matchLabels"]]))
ports = {port["name"]: port["containerPort"] for port in server["ports"]}
named = [server[probe]["httpGet"]["port"] for probe in ["startupProbe", "readinessProbe", "livenessProbe"]]
named += [documents["Service"]["spec"]["ports"][0]["targetPort"], documents["PodMonitor"]["spec"]["podMetricsEndpoints"][0]["port"]]
check("every named port is one of the container's", set(named) <= set(ports))
arguments = dict(a.lstrip("-").split("=", 1) for a in server["args"] if "=" in a)
check("the server listens at the container's port", int(arguments["port"]) == ports["http"])
check("it has as many threads as processors", arguments["threads"] == server["resources"]["limits"]["cpu"])
check("what is pulled is what is served", pod["initContainers"][0]["command"][-1] == server["args"][0])
scaled = documents["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
check("the autoscaler scales the deployment", (scaled["kind"], scaled["name"]) == ("Deployment", documents["Deployment"]["metadata"]["name"]))
secret = documents["Secret"]
check("the key is where it is looked for", server["env"][0]["valueFrom"]["secretKeyRef"] == {
    "name": secret["metadata"]["name"], "key": next(iter(secret["stringData"]))})

program = sys.argv[1]
options = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
for option in [a.split("=")[0] for a in server["args"] if a.startswith("--")]:
    check(f"leap-server has {option}", re.search(rf"{option}\b", options) is not None)
key = "key-of-the-check"
process = subprocess.Popen([program, "demo", "--port", "0", "--api-key", key], stderr=subprocess.PIPE, text=True)
try:
    address = re.search(r"listening at (\S+)", process.stderr.readline())[1]
    with urllib.request.urlopen(f"{address}/health", timeout=60) as reply:
        check("the probes' path answers without a key", reply.status == 200)
    fields = {"Authorization": f"Bearer {key}"}
    body = b'{"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}'
    urllib.request.urlopen(urllib.request.Request(f"{address}/v1/chat/completions", body, fields), timeout=60).read()
    request = urllib.request.Request(f"{address}{documents['PodMonitor']['spec']['podMetricsEndpoints'][0]['path']}", headers=fields)
    metrics = urllib.request.urlopen(request, timeout=60).read().decode()
    series = set(re.findall(r"^(\w+)", metrics, re.M))
    query = yaml.safe_load((here / "prometheus-adapter.yaml").read_text())["rules"]["custom"][0]["seriesQuery"]
    pattern = re.search(r'__name__=~"([^"]*)"', query)[1]
    for metric in documents["HorizontalPodAutoscaler"]["spec"]["metrics"]:
        name = metric["pods"]["metric"]["name"]
        check(f"/metrics has {name}, which the adapter takes", name in series and re.fullmatch(pattern, name) is not None)
finally:
    process.terminate()
    process.wait(timeout=60)
sys.exit(failures > 0)
