"""Feeds of those who run things, in the shapes that their tools and services publish: clusters, clouds, packages, tests, logs, money.

Members, nesting and the forms of values are those of the tools; names and values are invented.
"""

import json
from datetime import datetime, timedelta, timezone

from shapes import values
from shapes.values import hexes, kept, some, uid, zulu

START = datetime(2025, 11, 3, 6, 0, tzinfo=timezone.utc)
WORDS = "amber birch cedar delta ember fjord grove heron inlet juniper kelp larch maple nimbus otter pike quartz raven sable tern".split()
REGIONS = ["eu-central-1", "eu-west-1", "us-east-1"]


def moment(random, days=40):
    return values.moment(random, days, START)


def address(random, net="10.0"):
    return f"{net}.{random.randrange(4)}.{random.randint(4, 250)}"


def euros(random, most=200):
    return f"{random.randint(100, most * 100) / 100:.2f}"


# Clusters and clouds


def kubernetes_pods(random):
    owners = [{"apiVersion": "apps/v1", "blockOwnerDeletion": True, "controller": True, "kind": random.choice(["ReplicaSet", "DaemonSet"]),
               "name": f"{word}-{hexes(random, 9)}", "uid": uid(random)} for word in WORDS[:12]]
    return {"apiVersion": "v1", "items": [pod(random, random.choice(owners)) for _ in range(40)], "kind": "List",
        "metadata": {"resourceVersion": ""}}


def pod(random, owner):
    app, start = owner["name"].split("-")[0], moment(random)
    metadata = {
        "annotations": {"prometheus.io/scrape": "true"}, "creationTimestamp": zulu(start), "generateName": owner["name"] + "-",
        "labels": {"app.kubernetes.io/name": app, "pod-template-hash": owner["name"].split("-")[1]},
        "name": f"{owner['name']}-{hexes(random, 5)}",
        "namespace": random.choice(["default", "kube-system", "shop"]), "ownerReferences": [owner],
        "resourceVersion": str(random.randrange(10**7)),
        "uid": uid(random),
    }
    names = [app] + some(random, ["proxy", "metrics"], 0, 2)
    spec = {
        "containers": [pod_container(random, name) for name in names], "dnsPolicy": "ClusterFirst",
        "nodeName": f"node-{random.randint(1, 6)}",
        "priority": 0, "restartPolicy": "Always", "schedulerName": "default-scheduler",
        "serviceAccountName": random.choice(["default", app]),
        "terminationGracePeriodSeconds": 30, "tolerations": [{"effect": "NoExecute", "key": "node.kubernetes.io/not-ready",
            "operator": "Exists"}],
        "volumes": [{"configMap": {"defaultMode": 420, "name": app}, "name": "config"}, {"emptyDir": {}, "name": "data"}],
    }
    whole = {"apiVersion": "v1", "kind": "Pod", "metadata": kept(random, metadata, ownerReferences=0.9, annotations=0.6, generateName=0.9)}
    return {**whole, "spec": spec, "status": pod_status(random, names, start)}


def pod_container(random, name):
    limits = {"cpu": random.choice(["100m", "500m", "1"]), "memory": random.choice(["128Mi", "1Gi"])}
    container = {
        "args": ["--port", "8080"], "env": [{"name": "LOG_LEVEL", "value": "info"}, {"name": "TZ", "value": "UTC"}],
        "image": f"registry.example.com/{name}:1.{random.randrange(9)}", "imagePullPolicy": random.choice(["IfNotPresent", "Always"]),
        "name": name,
        "ports": [{"containerPort": 8080, "name": "http", "protocol": "TCP"}],
        "resources": random.choice([{}, {"limits": limits, "requests": limits}]),
        "terminationMessagePath": "/dev/termination-log",
        "volumeMounts": [{"mountPath": "/etc/app", "name": "config", "readOnly": True}, {"mountPath": "/data", "name": "data"}],
    }
    return kept(random, container, args=0.5, env=0.7, ports=0.8)


def pod_status(random, names, start):
    ready = random.random() < 0.85
    condition = {"lastProbeTime": None, "lastTransitionTime": zulu(start + timedelta(seconds=9)), "status": str(ready)}
    broken = {} if ready else {"message": "containers with unready status", "reason": "ContainersNotReady"}
    state = {"running": {"startedAt": zulu(start)}} if ready else {"waiting": {"message": "back-off 5m0s restarting",
        "reason": "CrashLoopBackOff"}}
    return {
        "conditions": [{**condition, **broken, "type": kind} for kind in ("Initialized", "Ready", "ContainersReady", "PodScheduled")],
        "containerStatuses": [{
            "containerID": f"containerd://{hexes(random, 64)}", "image": f"registry.example.com/{name}:1",
            "imageID": f"sha256:{hexes(random, 64)}",
            "lastState": {}, "name": name, "ready": ready, "restartCount": random.randrange(9), "started": ready, "state": state,
        } for name in names],
        "hostIP": address(random, "192.168"), "phase": "Running" if ready else random.choice(["Pending", "Running"]),
        "podIP": address(random),
        "podIPs": [{"ip": address(random)}], "qosClass": random.choice(["Burstable", "BestEffort"]), "startTime": zulu(start),
    }


def prometheus_query(random):
    result = []
    for instance in ("web-1:9100", "web-2:9100", "db-1:9100"):
        for cpu in range(4):
            for mode in ("idle", "iowait", "system", "user"):
                labels = {"__name__": "instance:cpu:rate5m", "cpu": str(cpu), "env": "prod", "instance": instance, "job": "node",
                    "mode": mode}
                values = [[1762905600.781 + 60 * step, f"{random.random():.15g}"] for step in range(8)]
                if random.random() < 0.1:
                    values[0][1] = "NaN"
                result.append({"metric": kept(random, labels, env=0.8), "values": values[: random.randint(5, 8)]})
    return {"status": "success", "data": {"resultType": "matrix", "result": result}, "warnings": []}


def docker_inspect(random):
    networks = {f"{word}_default": hexes(random, 64) for word in WORDS[:6]}
    images = [(f"{word}:{random.randint(1, 9)}", f"sha256:{hexes(random, 64)}") for word in WORDS[:9]]
    return [docker_container(random, number, networks, *random.choice(images)) for number in range(36)]


def docker_container(random, number, networks, image, digest):
    start, running, identity = moment(random), random.random() < 0.8, hexes(random, 64)
    word, attached = random.choice(list(networks))[:-8], some(random, list(networks), 1, 2)
    labels = {"com.docker.compose.project": word, "com.docker.compose.service": image.split(":")[0], "maintainer": "ops@example.com"}
    health = {"Status": "healthy", "FailingStreak": 0, "Log": []}
    state = {
        "Status": "running" if running else "exited", "Running": running, "Paused": False, "Restarting": False, "OOMKilled": False,
        "Dead": False,
        "Pid": random.randint(900, 30000) if running else 0, "ExitCode": 0 if running else random.choice([0, 1, 137]), "Error": "",
        "StartedAt": zulu(start, f".{random.randrange(10**9):09d}Z"),
        "FinishedAt": "0001-01-01T00:00:00Z" if running else zulu(start + timedelta(hours=7), ".5Z"), "Health": health,
    }
    return {
        "Id": identity, "Created": zulu(start, f".{random.randrange(10**9):09d}Z"), "Path": "docker-entrypoint.sh", "Args": ["serve"],
        "State": kept(random, state, Health=0.5), "Image": digest, "LogPath": f"/var/lib/docker/containers/{identity}/{identity}-json.log",
        "Name": f"/{word}-{image.split(':')[0]}-{number}", "RestartCount": random.randrange(3), "Driver": "overlay2", "Platform": "linux",
        "MountLabel": "", "AppArmorProfile": "docker-default", "ExecIDs": None, "Mounts": docker_mounts(random, word),
        **docker_config(random, labels, image),
        "NetworkSettings": {"SandboxID": hexes(random, 64), "Ports": docker_ports(random),
                            "Networks": {name: docker_endpoint(random, networks[name]) for name in attached}},
    }


def docker_config(random, labels, image):
    return {
        "HostConfig": {"Binds": None, "NetworkMode": "bridge",
            "RestartPolicy": {"Name": random.choice(["always", "no"]), "MaximumRetryCount": 0},
                       "AutoRemove": False, "Privileged": random.random() < 0.1, "Memory": random.choice([0, 536870912]), "NanoCpus": 0},
        "Config": {"Hostname": hexes(random, 12), "User": random.choice(["", "1000"]), "Tty": False, "Env": ["PATH=/usr/bin", "TZ=UTC"],
            "Cmd": ["serve"],
                   "Image": image, "WorkingDir": "/app", "Entrypoint": random.choice([None, ["docker-entrypoint.sh"]]),
                   "Labels": random.choice([labels, labels, {}])},
    }


def docker_mounts(random, word):
    volume = {"Type": "volume", "Name": f"{word}_data", "Source": f"/var/lib/docker/volumes/{word}_data/_data", "Destination": "/data",
              "Driver": "local", "Mode": "z", "RW": True, "Propagation": ""}
    bind = {"Type": "bind", "Source": f"/srv/{word}", "Destination": "/etc/app", "Mode": "ro", "RW": False, "Propagation": "rprivate"}
    return some(random, [volume, bind], 0, 2)


def docker_ports(random):
    bound = [{"HostIp": host, "HostPort": str(random.randint(8000, 9999))} for host in ("0.0.0.0", "::")]
    return random.choice([{}, {"80/tcp": bound}, {"80/tcp": bound, "443/tcp": None}, {"5432/tcp": None}])


def docker_endpoint(random, network):
    return {
        "IPAMConfig": None, "Links": None, "Aliases": ["app", hexes(random, 12)], "MacAddress": "02:42:ac:12:00:" + hexes(random, 2),
        "DriverOpts": None,
        "NetworkID": network, "EndpointID": hexes(random, 64), "Gateway": "172.18.0.1", "IPAddress": address(random, "172.18"),
        "IPPrefixLen": 16,
        "IPv6Gateway": "", "GlobalIPv6Address": "", "GlobalIPv6PrefixLen": 0, "DNSNames": ["app"],
    }


def terraform_state(random):
    types, resources, known = ["aws_instance", "aws_subnet", "aws_security_group", "aws_s3_bucket"], [], []
    for number in range(36):
        mode = "data" if number < 4 else "managed"
        module = random.choice([None, "module.network", "module.web.module.cache"])
        type, name = "aws_ami" if number < 4 else random.choice(types), f"{WORDS[number % 20]}_{number}"
        resource = {"module": module} if module else {}
        resource |= {"mode": mode, "type": type, "name": name, "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
            "instances": []}
        keys = random.choice([[None], [None], [0, 1], ["a", "b", "c"]])
        for key in keys:
            resource["instances"].append(terraform_instance(random, type, name, key, some(random, known, 0, 3) if number > 3 else []))
        resources.append(resource)
        known.append(".".join(([module] if module else []) + (["data"] if mode == "data" else []) + [type, name]))
    outputs = {f"{word}_address": {"value": address(random), "type": "string"} for word in WORDS[:6]}
    outputs["password"] = {"value": "secret", "type": "string", "sensitive": True}
    outputs["zones"] = {"value": ["a", "b"], "type": ["list", "string"]}
    return {"version": 4, "terraform_version": "1.9.8", "serial": 214, "lineage": uid(random), "outputs": outputs, "resources": resources,
        "check_results": None}


def terraform_instance(random, type, name, key, dependencies):
    identity = f"{type[4:8]}-{hexes(random, 17)}"
    attributes = {"id": identity, "arn": f"arn:aws:ec2:eu-central-1:123456789012:{type[4:]}/{identity}", "tags": {"Name": name},
        "timeouts": None}
    if type == "aws_instance":
        attributes |= {"ami": "ami-" + hexes(random, 17), "instance_type": "t3.small", "private_ip": address(random), "monitoring": False}
    elif type == "aws_subnet":
        attributes |= {"cidr_block": f"10.0.{random.randrange(250)}.0/24", "map_public_ip_on_launch": True,
            "vpc_id": "vpc-" + hexes(random, 8)}
    elif type == "aws_s3_bucket":
        attributes |= {"bucket": name, "force_destroy": False, "tags": None}
    instance = {} if key is None else {"index_key": key}
    instance |= {"schema_version": random.randrange(2), "attributes": attributes, "sensitive_attributes": []}
    return instance | ({"private": hexes(random, 20), "dependencies": sorted(dependencies)} if dependencies else {})


def cloudtrail_events(random):
    roles = [{"type": "Role", "principalId": "AROA" + hexes(random, 17).upper(), "arn": f"arn:aws:iam::123456789012:role/{word}",
              "accountId": "123456789012", "userName": word} for word in WORDS[:4]]
    people = [{"type": "IAMUser", "principalId": "AIDA" + hexes(random, 17).upper(), "arn": f"arn:aws:iam::123456789012:user/{word}",
               "accountId": "123456789012", "userName": word} for word in WORDS[4:9]]
    sessions = [{"type": "AssumedRole", "principalId": f"{role['principalId']}:{word}", "accountId": "123456789012",
                 "arn": f"arn:aws:sts::123456789012:assumed-role/{role['userName']}/{word}", "issuer": role} for role in roles
                     for word in ("deploy", "ann")]
    return {"Records": [cloudtrail_event(random, people + sessions) for _ in range(60)]}


def cloudtrail_event(random, identities):
    who, time = dict(random.choice(identities)), moment(random)
    issuer, service = who.pop("issuer", None), random.choice(["ec2", "s3", "iam"])
    if issuer:
        attributes = {"creationDate": zulu(time - timedelta(minutes=20)), "mfaAuthenticated": random.choice(["true", "false"])}
        who |= {"sessionContext": {"sessionIssuer": issuer, "attributes": attributes}}
    who = {"type": "AWSService", "invokedBy": "ec2.amazonaws.com"} if random.random() < 0.1 else {**who,
        "accessKeyId": "AKIA" + hexes(random, 16).upper()}
    read, bucket = random.random() < 0.6, f"arn:aws:s3:::{random.choice(WORDS[:8])}-data"
    event = {
        "eventVersion": "1.11", "userIdentity": who, "eventTime": zulu(time), "eventSource": f"{service}.amazonaws.com",
        "eventName": random.choice(["DescribeInstances", "GetObject", "ListUsers"] if read
            else ["RunInstances", "PutObject", "CreateUser"]),
        "awsRegion": random.choice(REGIONS), "sourceIPAddress": address(random, "203.0"), "userAgent": "aws-cli/2.17.1",
        "errorCode": "AccessDenied",
        "errorMessage": "User is not authorized to perform this action", "requestParameters": random.choice([None, {"maxResults": 100}]),
        "responseElements": None if read else {"requestId": uid(random)}, "requestID": uid(random), "eventID": uid(random),
        "readOnly": read,
        "resources": [{"accountId": "123456789012", "type": "AWS::S3::Bucket", "ARN": bucket}], "eventType": "AwsApiCall",
        "managementEvent": True,
        "recipientAccountId": "123456789012", "eventCategory": "Management",
        "tlsDetails": {"tlsVersion": "TLSv1.3", "cipherSuite": "TLS_AES_128_GCM_SHA256",
            "clientProvidedHostHeader": f"{service}.amazonaws.com"},
    }
    failed = 1 if random.random() < 0.15 else 0
    return kept(random, event, errorCode=failed, errorMessage=failed, resources=0.4, tlsDetails=0.8)


def aws_ec2_instances(random):
    groups = [{"GroupName": word, "GroupId": "sg-" + hexes(random, 17)} for word in WORDS[:7]]
    profiles = [{"Arn": f"arn:aws:iam::123456789012:instance-profile/{word}", "Id": "AIPA" + hexes(random, 17).upper()}
        for word in WORDS[:4]]
    subnets, reservations = ["subnet-" + hexes(random, 17) for _ in range(4)], []
    for _ in range(26):
        instances = [ec2_instance(random, index, groups, profiles, subnets) for index in range(random.choice([1, 1, 2, 3]))]
        reservation = {"Groups": [], "Instances": instances, "OwnerId": "123456789012", "RequesterId": "940372691376",
            "ReservationId": "r-" + hexes(random, 17)}
        reservations.append(kept(random, reservation, RequesterId=0.3))
    return {"Reservations": reservations}


def ec2_instance(random, index, groups, profiles, subnets):
    ip, start, running, used, subnet = address(random), moment(random), random.random() < 0.8, some(random, groups, 1,
        3), random.choice(subnets)
    name, stamp = "ip-" + ip.replace(".", "-") + ".eu-central-1.compute.internal", start.strftime("%Y-%m-%dT%H:%M:%S+00:00")
    tags = [{"Key": "Name", "Value": random.choice(WORDS)}, {"Key": "env", "Value": "prod"}, {"Key": "owner", "Value": ""}]
    disks = [{"DeviceName": device, "Ebs": {"AttachTime": stamp, "DeleteOnTermination": device == "/dev/xvda", "Status": "attached",
              "VolumeId": "vol-" + hexes(random, 17)}} for device in ("/dev/xvda", "/dev/sdb")[: random.randint(1, 2)]]
    instance = {
        "AmiLaunchIndex": index, "ImageId": "ami-" + hexes(random, 17), "InstanceId": "i-" + hexes(random, 17),
        "InstanceType": random.choice(["t3.micro", "m6i.large"]),
        "KeyName": random.choice(["ops", "ci"]), "LaunchTime": stamp, "Monitoring": {"State": "disabled"},
        "Placement": {"AvailabilityZone": "eu-central-1" + random.choice("abc"), "GroupName": "", "Tenancy": "default"},
        "PrivateDnsName": name,
        "PrivateIpAddress": ip, "ProductCodes": [], "PublicDnsName": "", "PublicIpAddress": address(random, "198.51"),
        "State": {"Code": 16, "Name": "running"} if running else {"Code": 80, "Name": "stopped"},
        "StateTransitionReason": "" if running else "User initiated (2025-12-01 08:00:00 GMT)", "SubnetId": subnet,
        "VpcId": "vpc-0a1b2c3d4e5f60718",
        "Architecture": random.choice(["x86_64", "arm64"]), "BlockDeviceMappings": disks, "ClientToken": uid(random),
        "EbsOptimized": random.random() < 0.5,
        "EnaSupport": True, "Hypervisor": "xen", "IamInstanceProfile": random.choice(profiles),
        "NetworkInterfaces": [ec2_interface(random, ip, name, stamp, used, subnet)],
        "RootDeviceName": "/dev/xvda", "RootDeviceType": "ebs", "SecurityGroups": used, "SourceDestCheck": True,
        "Tags": some(random, tags, 1, 3),
        "VirtualizationType": "hvm", "CpuOptions": {"CoreCount": random.choice([1, 2]), "ThreadsPerCore": 2},
        "PlatformDetails": "Linux/UNIX",
        "MetadataOptions": {"State": "applied", "HttpTokens": "required", "HttpPutResponseHopLimit": 2, "HttpEndpoint": "enabled"},
    }
    return kept(random, instance, KeyName=0.8, PublicIpAddress=0.4, IamInstanceProfile=0.7, Tags=0.9)


def ec2_interface(random, ip, name, stamp, groups, subnet):
    return {
        "Attachment": {"AttachTime": stamp, "AttachmentId": "eni-attach-" + hexes(random, 17), "DeleteOnTermination": True,
            "DeviceIndex": 0, "Status": "attached"},
        "Description": "", "Groups": groups, "Ipv6Addresses": [], "MacAddress": ":".join(hexes(random, 2) for _ in range(6)),
        "NetworkInterfaceId": "eni-" + hexes(random, 17), "OwnerId": "123456789012", "PrivateDnsName": name, "PrivateIpAddress": ip,
        "PrivateIpAddresses": [{"Primary": True, "PrivateDnsName": name, "PrivateIpAddress": ip}], "SourceDestCheck": True,
        "Status": "in-use",
        "SubnetId": subnet, "VpcId": "vpc-0a1b2c3d4e5f60718", "InterfaceType": "interface",
    }


def openstack_servers(random):
    images = [uid(random) for _ in range(6)]
    flavors = [{"disk": 20 * size, "ephemeral": 0, "extra_specs": {"hw:cpu_policy": "shared"}, "original_name": f"m1.{name}",
        "ram": 2048 * size,
                "swap": 0, "vcpus": size} for name, size in (("small", 1), ("medium", 2), ("large", 4))]
    servers = [openstack_server(random, images, flavors) for _ in range(36)]
    return {"servers": servers, "servers_links": [{"rel": "next",
        "href": f"https://nova.example.com/v2.1/servers?marker={servers[-1]['id']}"}]}


def openstack_server(random, images, flavors):
    identity, start, image, failed = uid(random), moment(random), random.choice(images), random.random() < 0.1
    link = {"rel": "bookmark", "href": f"https://nova.example.com/images/{image}"}
    ports = [{"version": 4, "addr": address(random), "OS-EXT-IPS:type": kind,
        "OS-EXT-IPS-MAC:mac_addr": "fa:16:3e:" + hexes(random, 2) + ":0a:1b"}
             for kind in ("fixed", "floating")]
    server = {
        "id": identity, "name": f"{random.choice(WORDS)}-{random.randint(1, 99)}", "status": "ERROR" if failed
        else random.choice(["ACTIVE", "SHUTOFF"]),
        "tenant_id": random.choice(["6f70656e737461636b20342065766572", "7a70656e737461636b20342065766572"]), "user_id": "fake",
        "metadata": {"role": "web"},
        "hostId": hexes(random, 56), "image": random.choice([{"id": image, "links": [link]}] * 3 + [""]), "flavor": random.choice(flavors),
        "created": zulu(start), "updated": zulu(start + timedelta(hours=2)), "addresses": {"private": ports[: random.randint(1, 2)]},
        "accessIPv4": "", "accessIPv6": "", "links": [{"rel": "self", "href": f"https://nova.example.com/v2.1/servers/{identity}"}],
        "OS-DCF:diskConfig": "AUTO", "progress": 0, "OS-EXT-AZ:availability_zone": "nova", "config_drive": random.choice(["", "True"]),
        "key_name": random.choice([None, "ops"]), "OS-SRV-USG:launched_at": None if failed else start.strftime("%Y-%m-%dT%H:%M:%S.000000"),
        "OS-SRV-USG:terminated_at": None, "security_groups": [{"name": name} for name in some(random, ["default", "web", "db"], 1, 2)],
        "OS-EXT-STS:task_state": None, "OS-EXT-STS:vm_state": "error" if failed else "active", "OS-EXT-STS:power_state": 0 if failed else 1,
        "os-extended-volumes:volumes_attached": [{"id": uid(random), "delete_on_termination": False} for _ in range(random.randrange(3))],
        "locked": False, "locked_reason": None, "description": random.choice([None, "web server"]),
        "tags": some(random, ["blue", "green"], 0, 2),
        "fault": {"code": 500, "created": zulu(start), "message": "No valid host was found."},
    }
    return kept(random, server, fault=1 if failed else 0)


# Packages


def pypi_package(random):
    releases = {f"{major}.{minor}.{patch}": pypi_files(random, f"{major}.{minor}.{patch}") for major in range(3) for minor in range(5)
        for patch in range(2)}
    releases["0.0.1"] = []
    info = {
        "author": "Ann Heron", "author_email": "ann@example.org", "bugtrack_url": None,
        "classifiers": ["Programming Language :: Python :: 3"],
        "description": "# heronry", "description_content_type": "text/markdown", "docs_url": None, "download_url": "",
        "downloads": {"last_day": -1, "last_month": -1, "last_week": -1}, "home_page": "https://heronry.example.org", "keywords": "birds",
        "license": "MIT",
        "maintainer": "", "maintainer_email": "", "name": "heronry", "package_url": "https://pypi.org/project/heronry/", "platform": None,
        "project_url": "https://pypi.org/project/heronry/", "project_urls": {"Source": "https://code.example.org/heronry"},
        "provides_extra": ["plot"],
        "release_url": "https://pypi.org/project/heronry/2.4.1/", "requires_dist": ["attrs>=22", "plotly; extra == \"plot\""],
        "requires_python": ">=3.9", "summary": "Counts herons", "version": "2.4.1", "yanked": False, "yanked_reason": None,
    }
    flaws = [{"aliases": [f"CVE-2025-{4000 + number}"], "details": "A crafted nest crashes the parser.", "fixed_in": [fixed],
        "id": f"PYSEC-2025-{number}",
              "link": f"https://osv.dev/vulnerability/PYSEC-2025-{number}", "source": "osv", "summary": random.choice([None, "Crash"]),
              "withdrawn": None}
             for number, fixed in enumerate(["1.2.1", "1.4.0", "2.1.0", "2.3.1"], 11)]
    return {"info": info, "last_serial": 26012345, "releases": releases, "urls": releases["2.4.1"], "vulnerabilities": flaws}


def pypi_files(random, version):
    time, yanked, files = moment(random, 400), random.random() < 0.1, []
    for kind, ending, python in (("bdist_wheel", "-py3-none-any.whl", "py3"), ("sdist", ".tar.gz", "source"))[: random.choice([1, 2, 2])]:
        name, blake, md5 = f"heronry-{version}{ending}", hexes(random, 64), hexes(random, 32)
        files.append({
            "comment_text": random.choice(["", None]), "digests": {"blake2b_256": blake, "md5": md5, "sha256": hexes(random, 64)},
            "downloads": -1,
            "filename": name, "has_sig": False, "md5_digest": md5, "packagetype": kind, "python_version": python,
            "requires_python": random.choice([None, ">=3.9"]),
            "size": random.randint(9000, 90000), "upload_time": time.strftime("%Y-%m-%dT%H:%M:%S"),
            "upload_time_iso_8601": zulu(time, ".123456Z"),
            "url": f"https://files.pythonhosted.org/packages/{blake[:2]}/{blake[2:4]}/{blake[4:]}/{name}", "yanked": yanked,
            "yanked_reason": "broken build" if yanked else None,
        })
    return files


def cargo_metadata(random):
    registry, packages, nodes = "registry+https://github.com/rust-lang/crates.io-index", [], []
    for number in range(34):
        word, local = f"{WORDS[number % 20]}-{number}", number > 30
        version = f"{random.randrange(3)}.{random.randrange(20)}.{random.randrange(9)}"
        identity = f"path+file:///src/{word}#{version}" if local else f"{registry}#{word}@{version}"
        used = some(random, packages, 0, 4)
        packages.append(cargo_package(random, word, version, identity, None if local else registry, used))
        deps = [{"name": other["name"].replace("-", "_"), "pkg": other["id"], "dep_kinds": [{"kind": None, "target": None}]}
            for other in used]
        nodes.append({"id": identity, "dependencies": [other["id"] for other in used], "deps": deps,
            "features": random.choice([[], ["default", "std"]])})
    members = [package["id"] for package in packages[31:]]
    return {"packages": packages, "workspace_members": members, "workspace_default_members": members,
        "resolve": {"nodes": nodes, "root": members[0]},
            "target_directory": "/src/target", "version": 1, "workspace_root": "/src", "metadata": None}


def cargo_package(random, name, version, identity, source, used):
    dependencies = [{"name": other["name"], "source": other["source"], "req": "^" + other["version"],
        "kind": random.choice([None, None, "dev", "build"]),
                     "rename": None, "optional": random.random() < 0.2, "uses_default_features": True,
                     "features": random.choice([[], ["std"]]),
                     "target": random.choice([None, None, "cfg(unix)"]), "registry": None} for other in used]
    targets = [{"kind": [kind], "crate_types": [kind], "name": name.replace("-", "_"), "src_path": f"/src/{name}/src/{file}.rs",
        "edition": "2021",
                "doc": True, "doctest": kind == "lib", "test": True} for kind,
                    file in (("lib", "lib"), ("bin", "main"))[: random.randint(1, 2)]]
    return {
        "name": name, "version": version, "id": identity, "license": random.choice(["MIT OR Apache-2.0", "MIT", None]),
        "license_file": None,
        "description": random.choice(["A small library", None]), "source": source, "dependencies": dependencies, "targets": targets,
        "features": {"default": ["std"], "std": []}, "manifest_path": f"/src/{name}/Cargo.toml", "metadata": None, "publish": None,
        "authors": ["Ann Heron <ann@example.org>"], "categories": some(random, ["parsing", "encoding"], 0, 2),
        "keywords": some(random, WORDS, 0, 3),
        "readme": "README.md", "repository": f"https://code.example.org/{name}", "homepage": None,
        "documentation": random.choice([None, f"https://docs.rs/{name}"]),
        "edition": random.choice(["2018", "2021"]), "links": None, "default_run": None,
        "rust_version": random.choice([None, "1.70", "1.63.0"]),
    }


def homebrew_formulae(random):
    names = [f"{word}{ending}" for word in WORDS for ending in ("", "-cli")] + ["amber@2", "birch@1"]
    return [homebrew_formula(random, name, names) for name in names]


def homebrew_formula(random, name, names):
    version, old = f"{random.randrange(9)}.{random.randrange(20)}.{random.randrange(9)}", random.random() < 0.1
    files = {system: {"cellar": random.choice([":any", ":any_skip_relocation"]),
        "url": f"https://ghcr.io/v2/homebrew/core/{name}/blobs/sha256:{hexes(random, 64)}",
             "sha256": hexes(random, 64)} for system in some(random, ["arm64_sequoia", "arm64_sonoma", "sonoma", "x86_64_linux"], 2, 4)}
    bottle = {} if random.random() < 0.1 else {"stable": {"rebuild": random.randrange(2), "root_url": "https://ghcr.io/v2/homebrew/core",
        "files": files}}
    url = {"url": f"https://{name[:5]}.example.org/{name}-{version}.tar.gz", "tag": None, "revision": None, "using": None,
        "checksum": hexes(random, 64)}
    return {
        "name": name, "full_name": name, "tap": "homebrew/core", "oldnames": [], "aliases": some(random, [name + "2", "g" + name], 0, 1),
        "versioned_formulae": [name + "@2"] if name == "amber" else [], "desc": f"Tool for {name}",
        "license": random.choice(["MIT", "GPL-3.0-or-later", None]),
        "homepage": f"https://{name[:5]}.example.org/",
        "versions": {"stable": version, "head": random.choice([None, "HEAD"]), "bottle": bool(bottle)},
        "urls": {"stable": url}, "revision": random.randrange(3), "version_scheme": 0, "bottle": bottle, "pour_bottle_only_if": None,
        "keg_only": "@" in name, "keg_only_reason": {"reason": ":versioned_formula", "explanation": ""} if "@" in name else None,
        "options": [],
        "build_dependencies": some(random, names, 0, 2), "dependencies": some(random, names, 0, 4), "test_dependencies": [],
        "recommended_dependencies": [],
        "optional_dependencies": [], "uses_from_macos": random.choice([[], ["zlib"], ["zlib", {"llvm": "build"}]]),
        "uses_from_macos_bounds": [],
        "requirements": [], "conflicts_with": some(random, names, 1, 1) if random.random() < 0.1 else [], "conflicts_with_reasons": [],
        "link_overwrite": [],
        "caveats": random.choice([None, None, "Start it by hand.\n"]), "installed": [], "linked_keg": None, "pinned": False,
        "outdated": False, "deprecated": old,
        "deprecation_date": "2025-06-01" if old else None, "deprecation_reason": "unmaintained" if old else None, "disabled": False,
        "disable_date": None,
        "disable_reason": None, "post_install_defined": random.random() < 0.2, "service": None, "tap_git_head": "1f0a" * 10,
        "ruby_source_path": f"Formula/{name[0]}/{name}.rb", "ruby_source_checksum": {"sha256": hexes(random, 64)}, "variations": {},
    }


def debian_packages(random):
    names = [f"{prefix}{word}{ending}" for word in WORDS for prefix, ending in (("lib", "1"), ("", ""), ("", "-doc"))]
    return "".join(json.dumps(debian_package(random, name, names)) + "\n" for name in names)


def debian_package(random, name, names):
    source = name.removeprefix("lib").removesuffix("-doc").rstrip("1")
    version = f"{random.randrange(4)}.{random.randrange(30)}-{random.randint(1, 4)}"
    depends = [other + random.choice(["", " (>= 1.2)", " (= 2.0-1)"]) for other in some(random, names, 1, 5)]
    architecture, pool = "all" if name.endswith("-doc") else "amd64", f"pool/main/{source[0]}/{source}"
    return kept(random, {
        "Package": name, "Source": f"{source} ({version})", "Version": version, "Installed-Size": str(random.randint(20, 9000)),
        "Maintainer": random.choice(["Ann Heron <ann@example.org>", "Debian Bird Team <birds@example.org>"]), "Architecture": architecture,
        "Depends": ", ".join(depends), "Recommends": ", ".join(some(random, names, 1, 2)), "Description": f"{source} for everyone",
        "Multi-Arch": random.choice(["same", "foreign"]), "Homepage": f"https://{source}.example.org/",
        "Description-md5": hexes(random, 32),
        "Tag": ", ".join(some(random, ["role::program", "implemented-in::c", "interface::commandline"], 1, 3)),
        "Section": random.choice(["libs", "utils", "doc"]), "Priority": random.choice(["optional", "optional", "required"]),
        "Filename": f"{pool}/{name}_{version}_{architecture}.deb", "Size": str(random.randint(4000, 900000)), "MD5sum": hexes(random, 32),
        "SHA256": hexes(random, 64),
    }, Source=0.5, Depends=0.8, Recommends=0.3, Multi_Arch=0.5, Homepage=0.8, Tag=0.5)


# Findings and tests


def nvd_cves(random):
    flaws = [{"cve": nvd_cve(random, f"CVE-2025-{number}")} for number in sorted(random.sample(range(1000, 60000), 36))]
    return {"resultsPerPage": 36, "startIndex": 0, "totalResults": 36, "format": "NVD_CVE", "version": "2.0",
        "timestamp": "2025-12-14T08:15:12.463",
            "vulnerabilities": flaws}


def nvd_cve(random, identity):
    time, source, status = moment(random), random.choice(["cve@mitre.org", "security@example.com"]), random.choice(["Analyzed", "Modified",
        "Awaiting Analysis"])
    product, known = random.choice(WORDS), status != "Awaiting Analysis"
    texts = [{"lang": "en", "value": f"A flaw in {product} allows remote attackers to read files."},
        {"lang": "es", "value": f"Un fallo en {product}."}]
    match = [{"vulnerable": True, "criteria": f"cpe:2.3:a:{product}:{product}:{random.choice('*123')}:*:*:*:*:*:*:*",
        "matchCriteriaId": uid(random).upper()}
             | random.choice([{}, {"versionEndExcluding": "2.4.1"}, {"versionStartIncluding": "1.0", "versionEndExcluding": "1.9"}])
             for _ in range(random.randint(1, 3))]
    links = [{"url": f"https://{product}.example.org/{what}/{identity}", "source": source, "tags": ["Vendor Advisory"]}
        for what in ("news", "commit", "list")]
    cve = {
        "id": identity, "sourceIdentifier": source, "published": time.strftime("%Y-%m-%dT%H:%M:%S.") + "183",
        "lastModified": (time + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%S.") + "907", "vulnStatus": status, "cveTags": [],
        "descriptions": texts[: random.randint(1, 2)], "metrics": nvd_metrics(random, source) if known else {},
        "weaknesses": [{"source": "nvd@nist.gov", "type": "Primary",
            "description": [{"lang": "en", "value": random.choice(["CWE-22", "CWE-79", "CWE-787"])}]}],
        "configurations": [{"nodes": [{"operator": "OR", "negate": False, "cpeMatch": match}]}],
        "references": [kept(random, link, tags=0.7) for link in links[: random.randint(1, 3)]],
    }
    return kept(random, cve, weaknesses=known, configurations=known)


def nvd_metrics(random, source):
    score = random.choice([(9.8, "CRITICAL"), (7.5, "HIGH"), (5.4, "MEDIUM"), (6, "MEDIUM")])
    data = {"version": "3.1", "vectorString": "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", "baseScore": score[0],
        "baseSeverity": score[1],
            "attackVector": random.choice(["NETWORK", "LOCAL"]), "attackComplexity": "LOW", "privilegesRequired": "NONE",
            "userInteraction": "NONE",
            "scope": "UNCHANGED", "confidentialityImpact": "HIGH", "integrityImpact": "HIGH", "availabilityImpact": "HIGH"}
    three = [{"source": who, "type": kind, "cvssData": data, "exploitabilityScore": 3.9, "impactScore": random.choice([5.9, 3.6])}
             for who, kind in (("nvd@nist.gov", "Primary"), (source, "Secondary"))]
    old = {"version": "2.0", "vectorString": "AV:N/AC:L/Au:N/C:P/I:P/A:P", "baseScore": 7.5, "accessVector": "NETWORK",
        "accessComplexity": "LOW",
           "authentication": "NONE", "confidentialityImpact": "PARTIAL", "integrityImpact": "PARTIAL", "availabilityImpact": "PARTIAL"}
    two = [{"source": "nvd@nist.gov", "type": "Primary", "cvssData": old, "baseSeverity": "HIGH", "exploitabilityScore": 10,
        "impactScore": 6.4,
            "acInsufInfo": False, "obtainAllPrivilege": False, "obtainUserPrivilege": False, "obtainOtherPrivilege": False,
            "userInteractionRequired": False}]
    return {"cvssMetricV31": three[: random.randint(1, 2)]} | ({"cvssMetricV2": two} if random.random() < 0.4 else {})


def cyclonedx_sbom(random):
    components = [cyclonedx_component(random, f"{WORDS[number % 20]}-{number}") for number in range(38)]
    root = {"type": "application", "bom-ref": "pkg:npm/heronry@2.4.1", "name": "heronry", "version": "2.4.1",
        "purl": "pkg:npm/heronry@2.4.1"}
    refs = [component["bom-ref"] for component in components]
    edges = [{"ref": root["bom-ref"], "dependsOn": refs[:9]}]
    for place, ref in enumerate(refs):
        edges.append({"ref": ref} | ({"dependsOn": some(random, refs[place + 1 :], 1, 4)} if random.random() < 0.6 and place < 36 else {}))
    flaws = [{"bom-ref": uid(random), "id": f"CVE-2025-{number}",
        "source": {"name": "NVD", "url": f"https://nvd.nist.gov/vuln/detail/CVE-2025-{number}"},
              "ratings": [{"source": {"name": "NVD"}, "score": random.choice([9.8, 7.5, 5.4]), "severity": "high", "method": "CVSSv31",
                  "vector": "AV:N/AC:L"}],
              "cwes": [random.choice([22, 79])], "description": "A flaw.", "published": zulu(moment(random)),
              "updated": zulu(moment(random)),
              "affects": [{"ref": ref} for ref in some(random, refs, 1, 3)]} for number in range(5001, 5013)]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.5",
        "serialNumber": "urn:uuid:" + uid(random),
        "version": 1, "metadata": {"timestamp": "2025-12-01T10:00:00Z",
            "tools": [{"vendor": "anchore", "name": "syft", "version": "1.4.1"}], "component": root},
        "components": components, "dependencies": edges, "vulnerabilities": flaws,
    }


def cyclonedx_component(random, name):
    version = f"{random.randrange(9)}.{random.randrange(20)}.{random.randrange(9)}"
    ref = f"pkg:npm/{name}@{version}"
    licenses = [[{"license": {"id": "MIT"}}], [{"license": {"name": "BSD-like", "url": "https://example.org/license"}}],
        [{"expression": "MIT OR Apache-2.0"}], []]
    component = {
        "type": random.choice(["library", "library", "framework"]), "bom-ref": ref, "author": "Ann Heron",
        "group": random.choice(["@birds", ""]), "name": name,
        "version": version, "description": f"The {name} library", "scope": random.choice(["required", "optional"]),
        "hashes": [{"alg": "SHA-1", "content": hexes(random, 40)},
            {"alg": "SHA-512", "content": hexes(random, 128)}][: random.randint(1, 2)],
        "licenses": random.choice(licenses), "cpe": f"cpe:2.3:a:{name}:{name}:{version}:*:*:*:*:*:*:*", "purl": ref,
        "externalReferences": [{"type": kind, "url": f"https://{name}.example.org/{kind}"}
            for kind in ("website", "vcs", "issue-tracker")[: random.randint(1, 3)]],
        "properties": [{"name": "syft:package:language", "value": "javascript"}, {"name": "syft:package:type", "value": "npm"}],
    }
    return kept(random, component, author=0.5, description=0.7, cpe=0.5, externalReferences=0.8, hashes=0.8)


def sarif_results(random):
    runs = []
    for tool, prefix, count in (("CodeQL", "js/", 38), ("Bandwurm", "bw/", 16)):
        rules = [sarif_rule(random, prefix + word) for word in WORDS[:12]]
        files = [f"src/{word}.js" for word in WORDS[:14]]
        driver = {"name": tool, "organization": "Example", "semanticVersion": "2.19.3", "informationUri": "https://example.org/scan",
            "rules": rules}
        runs.append({
            "tool": {"driver": driver}, "automationDetails": {"id": f"{tool.lower()}/main/"},
            "invocations": [{"executionSuccessful": True, "startTimeUtc": "2025-12-01T10:00:00Z", "endTimeUtc": "2025-12-01T10:04:10Z"}],
            "artifacts": [{"location": {"uri": file, "uriBaseId": "%SRCROOT%", "index": place}} for place, file in enumerate(files)],
            "results": [sarif_result(random, rules, files) for _ in range(count)], "columnKind": "utf16CodeUnits",
        })
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": runs}


def sarif_rule(random, identity):
    properties = {"tags": some(random, ["security", "external/cwe/cwe-079", "correctness"], 1, 3),
        "precision": random.choice(["high", "medium"]),
                  "security-severity": random.choice(["7.8", "6.1", "9.3"]), "kind": "problem"}
    rule = {
        "id": identity, "name": identity, "shortDescription": {"text": f"Unsafe {identity}"},
        "fullDescription": {"text": f"Using {identity} is unsafe."},
        "defaultConfiguration": {"enabled": True, "level": random.choice(["error", "warning", "note"])},
        "helpUri": f"https://example.org/{identity}",
        "help": {"text": f"Avoid {identity}.", "markdown": f"# {identity}"},
        "properties": kept(random, properties, **{"security_severity": 0.6}),
    }
    return kept(random, rule, helpUri=0.8, help=0.7)


def sarif_result(random, rules, files):
    place, line = random.randrange(len(rules)), random.randint(1, 400)
    result = {
        "ruleId": rules[place]["id"], "ruleIndex": place, "level": random.choice(["error", "warning", "note"]),
        "message": {"text": "This value is [tainted](1)."},
        "locations": [sarif_location(random, files, line)],
        "partialFingerprints": {"primaryLocationLineHash": hexes(random, 16) + ":1",
            "primaryLocationStartColumnFingerprint": str(random.randrange(30))},
        "relatedLocations": [{"id": number, **sarif_location(random, files, line + 3), "message": {"text": "source"}} for number in (1, 2)],
        "suppressions": [{"kind": "inSource", "justification": "false positive"}],
    }
    return kept(random, result, level=0.7, relatedLocations=0.5, suppressions=0.15)


def sarif_location(random, files, line):
    index = random.randrange(len(files))
    region = {"startLine": line, "startColumn": random.randint(1, 40), "endLine": line + 1, "endColumn": random.randint(41, 90)}
    artifact = {"uri": files[index], "uriBaseId": "%SRCROOT%", "index": index}
    return {"physicalLocation": {"artifactLocation": artifact, "region": kept(random, region, endLine=0.3)}}


def junit_like_tests(random):
    suites = [junit_suite(random, f"tests.test_{word}") for word in WORDS[:9]]
    return {"testsuites": {"@name": "pytest tests", "testsuite": suites}}


def junit_suite(random, name):
    cases = []
    for word in random.sample(WORDS, random.randint(4, 8)):
        case = {"@classname": f"{name}.{random.choice(['TestRead', 'TestWrite'])}", "@name": f"test_{word}",
            "@time": f"{random.random() * 3:.3f}"}
        chance = random.random()
        if chance < 0.12:
            case["failure"] = {"@message": "AssertionError: 1 != 2", "@type": "AssertionError", "#text": "def test():\n>   assert 1 == 2"}
        elif chance < 0.2:
            case["skipped"] = {"@type": "pytest.skip", "@message": "needs a network", "#text": f"{name}:12: needs a network"}
        cases.append(case | ({"system-out": "ready\n"} if random.random() < 0.2 else {}))
    numbers = {"@errors": "0", "@failures": str(sum("failure" in case for case in cases)),
        "@skipped": str(sum("skipped" in case for case in cases))}
    total = f"{sum(float(case['@time']) for case in cases):.3f}"
    properties = {"property": [{"@name": "python", "@value": "3.12.4"}, {"@name": "seed", "@value": str(random.randrange(9999))}]}
    return {"@name": name, **numbers, "@tests": str(len(cases)), "@time": total,
        "@timestamp": moment(random).strftime("%Y-%m-%dT%H:%M:%S.204816+00:00"),
            "@hostname": random.choice(["runner-1", "runner-2"]), "properties": properties, "testcase": cases}


# Logs and money


def har_log(random):
    pages = [{"startedDateTime": zulu(moment(random, 1), ".120Z"), "id": f"page_{number}",
        "title": f"https://shop.example.com/{WORDS[number]}",
              "pageTimings": {"onContentLoad": round(random.random() * 900, 3),
                  "onLoad": random.choice([None, round(random.random() * 2000, 3)])}} for number in range(1, 7)]
    return {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": pages,
                    "entries": [har_entry(random, random.choice(pages)["id"]) for _ in range(48)]}}


def har_entry(random, page):
    host, query, wait = random.choice(["shop", "cdn", "api"]) + ".example.com", random.choice([[],
        [{"name": "q", "value": "lamp"}, {"name": "page", "value": "2"}]]), random.random()
    url = f"https://{host}/{random.choice(WORDS)}" + ("?q=lamp&page=2" if query else "")
    status, method = random.choice([(200, ""), (200, "OK"), (304, "Not Modified"), (404, "")]), random.choice(["GET", "GET", "GET", "POST"])
    headers = [{"name": "accept", "value": "*/*"}, {"name": "user-agent", "value": "Mozilla/5.0"}, {"name": "cookie", "value": "a=1"}]
    request = {"method": method, "url": url, "httpVersion": "h2", "headers": some(random, headers, 1, 3), "queryString": query,
        "cookies": [],
               "headersSize": -1, "bodySize": 0, "postData": {"mimeType": "application/json", "text": "{}"}}
    content = {"size": random.randint(0, 90000), "mimeType": random.choice(["text/html", "image/png", "application/json"]),
        "compression": 120, "text": "…"}
    answers = [{"name": "content-type", "value": content["mimeType"]}, {"name": "cache-control", "value": "no-cache"}]
    response = {"status": status[0], "statusText": status[1], "httpVersion": "h2", "headers": answers, "cookies": [],
                "content": kept(random, content, compression=0.4, text=0.3), "redirectURL": "", "headersSize": -1, "bodySize": -1,
                "_transferSize": random.randint(0, 9000), "_error": None}
    timings = {"blocked": round(wait * 3, 3), "dns": random.choice([-1, 4.2]), "ssl": random.choice([-1, 9.5]),
        "connect": random.choice([-1, 17.25]), "send": 0.09,
               "wait": round(wait * 200, 3), "receive": round(wait * 20, 3)}
    entry = {"_initiator": {"type": "parser", "url": url}, "_priority": "High",
        "_resourceType": random.choice(["document", "image", "fetch"]), "cache": {},
             "connection": str(random.randint(100, 999)), "pageref": page, "request": kept(random, request, postData=method == "POST"),
             "response": response,
             "serverIPAddress": address(random, "203.0"), "startedDateTime": zulu(moment(random, 1), f".{random.randrange(1000):03d}Z"),
             "time": round(wait * 223, 4), "timings": timings}
    return kept(random, entry, connection=0.8, serverIPAddress=0.9, pageref=0.9)


def syslog_lines(random):
    lines, time = [], START
    for _ in range(60):
        time += timedelta(seconds=random.randint(0, 900), microseconds=random.randrange(10**6))
        program, text = random.choice([("sshd", "Accepted publickey for ann from 203.0.113.9 port 50122 ssh2"),
            ("cron", "(root) CMD (run-parts /etc/cron.hourly)"),
                                       ("kernel", "eth0: link up"), ("nginx", "upstream timed out"),
                                       ("postfix/smtpd", "connect from unknown[198.51.100.7]")])
        facility, severity, process = random.choice([0, 3, 4, 9, 10]), random.choice([3, 4, 6, 6, 6]), random.randint(200, 30000)
        stamp, host = time.isoformat(), random.choice(["web-1", "web-2", "db-1", "mail"])
        tag = "kernel:" if program == "kernel" else f"{program}[{process}]:"
        lines.append({
            "msg": " " + text, "rawmsg": f"<{facility * 8 + severity}>{time:%b %d %H:%M:%S} {host} {tag} {text}", "timereported": stamp,
            "hostname": host,
            "syslogtag": tag, "inputname": random.choice(["imuxsock", "imtcp"]), "fromhost": host,
            "fromhost-ip": address(random, "192.168"),
            "pri": str(facility * 8 + severity), "syslogfacility": str(facility), "syslogseverity": str(severity),
            "timegenerated": (time + timedelta(milliseconds=4)).isoformat(), "programname": program.split("/")[0], "protocol-version": "0",
            "structured-data": "-",
            "app-name": program, "procid": "-" if program == "kernel" else str(process), "msgid": "-", "uuid": None, "$!": None,
        })
    return "".join(json.dumps(line) + "\n" for line in lines)


def bank_transactions(random):
    return {"accounts": [bank_account(random, number) for number in range(5)]}


def bank_account(random, number):
    iban, kinds = f"DE{random.randint(10, 98)}5001{random.randrange(10**14):014d}", ["closingBooked", "interimAvailable", "expected"]
    balances = [{"balanceAmount": {"amount": euros(random, 9000), "currency": "EUR"}, "balanceType": kind, "referenceDate": "2025-12-12"}
                for kind in kinds[: random.randint(1, 3)]]
    pending = [{"transactionAmount": {"amount": "-" + euros(random), "currency": "EUR"}, "valueDate": "2025-12-15",
                "remittanceInformationUnstructured": "CARD PAYMENT"} for _ in range(random.randint(1, 3))]
    account = {
        "resourceId": uid(random), "iban": iban, "bic": "HERODEFFXXX", "currency": "EUR", "ownerName": "Ann Heron",
        "name": ["Giro", "Savings", "Joint"][number % 3],
        "product": "Konto Plus", "cashAccountType": random.choice(["CACC", "SVGS"]), "status": "enabled", "usage": "PRIV",
        "balances": balances,
        "transactions": {"booked": [bank_transaction(random, iban) for _ in range(random.randint(7, 12))], "pending": pending},
    }
    return kept(random, account, bic=0.7, product=0.6)


def bank_transaction(random, iban):
    time, paid, other = moment(random), random.random() < 0.75, {"iban": f"FR76{random.randrange(10**14):014d}"}
    who = random.choice(["Rewe Markt", "Stadtwerke", "Café Möwe", "Landlord Ltd"])
    parties = {"creditorName": who, "creditorAccount": other, "debtorAccount": {"iban": iban}} if paid else \
        {"debtorName": who, "debtorAccount": other, "creditorAccount": {"iban": iban}}
    exchange = [{"sourceCurrency": "USD", "exchangeRate": "1.0862", "unitCurrency": "EUR", "targetCurrency": "EUR",
        "quotationDate": f"{time:%Y-%m-%d}"}]
    return kept(random, {
        "transactionId": f"{time:%Y%m%d}-{hexes(random, 10)}", "entryReference": str(random.randrange(10**6)),
        "endToEndId": random.choice(["NOTPROVIDED", hexes(random, 12)]),
        "mandateId": "M-" + hexes(random, 6), "creditorId": "DE98ZZZ09999999999", "bookingDate": f"{time:%Y-%m-%d}",
        "valueDate": f"{time + timedelta(days=1):%Y-%m-%d}",
        "transactionAmount": {"amount": ("-" if paid else "") + euros(random, 900), "currency": "EUR"}, "currencyExchange": exchange,
        **parties,
        "remittanceInformationUnstructured": random.choice(["Invoice 4711", "", "Rent December"]), "bankTransactionCode": "PMNT-RDDT-ESDD"
        if paid else "PMNT-RCDT-ESCT",
        "proprietaryBankTransactionCode": "NDDT+105", "internalTransactionId": hexes(random, 32),
    }, entryReference=0.6, mandateId=0.3, creditorId=0.3, currencyExchange=0.1, endToEndId=0.7, creditorAccount=0.9, debtorAccount=0.9)


def woocommerce_orders(random):
    products = [(500 + 7 * place, word.title() + " Lamp", f"LAMP-{place:03d}", euros(random, 90)) for place, word in enumerate(WORDS)]
    people = [(place, word.title(), random.choice(["Berlin", "Kiel"])) for place, word in enumerate(WORDS[:14])]
    numbers = iter(range(9000, 99999))
    return [woocommerce_order(random, 1200 + 3 * place, numbers, products, random.choice(people)) for place in range(36)]


def woocommerce_order(random, identity, numbers, products, person):
    created, paid = moment(random), random.random() < 0.8
    local = {"date_created": created, "date_modified": created + timedelta(hours=5), "date_completed": created + timedelta(days=2)
        if random.random() < 0.5 else None,
             "date_paid": created + timedelta(minutes=1) if paid else None}
    dates = {name: time and f"{time + timedelta(hours=1):%Y-%m-%dT%H:%M:%S}" for name, time in local.items()}
    dates |= {name + "_gmt": time and f"{time:%Y-%m-%dT%H:%M:%S}" for name, time in local.items()}
    billing = {"first_name": person[1], "last_name": "Heron", "company": "", "address_1": f"Uferweg {person[0] + 1}", "address_2": "",
        "city": person[2], "state": "DE-BE",
               "postcode": f"10{person[0]:03d}", "country": "DE", "email": f"{person[1].lower()}@example.org",
               "phone": random.choice(["", "+49 30 1234"])}
    total = euros(random)
    coupon = {"code": random.choice(["autumn10", "welcome"]), "discount": "5.00", "discount_tax": "0.95", "meta_data": []}
    tax = {"rate_code": "DE-MWST-1", "rate_id": 1, "label": "MwSt.", "compound": False, "tax_total": euros(random, 30),
        "shipping_tax_total": "0.93", "rate_percent": 19}
    refund = {"reason": random.choice(["", "broken"]), "total": "-" + euros(random, 40)}
    return {
        "id": identity, "parent_id": 0, "status": random.choice(["completed", "processing", "on-hold", "refunded"]), "currency": "EUR",
        "version": "9.4.2",
        "prices_include_tax": True, **dates, "discount_total": random.choice(["0.00", "5.00"]), "discount_tax": "0.00",
        "shipping_total": "4.90", "shipping_tax": "0.93",
        "cart_tax": euros(random, 30), "total": total, "total_tax": euros(random, 30), "customer_id": person[0],
        "order_key": "wc_order_" + hexes(random, 13), "billing": billing,
        "shipping": {key: value for key, value in billing.items() if key != "email"}, "payment_method": "ppcp" if paid else "bacs",
        "payment_method_title": "PayPal" if paid else "Direct bank transfer", "transaction_id": hexes(random, 17).upper() if paid else "",
        "customer_ip_address": address(random, "203.0"), "customer_user_agent": "Mozilla/5.0", "created_via": "checkout",
        "customer_note": "", "cart_hash": hexes(random, 32),
        "number": str(identity), "meta_data": [{"id": next(numbers), "key": key, "value": "no"}
            for key in ("is_vat_exempt", "_new_order_email_sent")],
        "line_items": [woocommerce_line(random, next(numbers), product) for product in some(random, products, 1, 4)],
        "tax_lines": [{"id": next(numbers), **tax, "meta_data": []}],
        "shipping_lines": [{"id": next(numbers), "method_title": "Parcel", "method_id": "flat_rate", "instance_id": "3", "total": "4.90",
            "total_tax": "0.93",
                            "taxes": [{"id": 1, "total": "0.93", "subtotal": ""}], "meta_data": []}], "fee_lines": [],
        "coupon_lines": [{"id": next(numbers), **coupon}] if random.random() < 0.4 else [], "refunds": [{"id": next(numbers), **refund}]
        if random.random() < 0.2 else [],
        "payment_url": f"https://shop.example.org/checkout/order-pay/{identity}/", "is_editable": False, "needs_payment": not paid,
        "needs_processing": paid, "currency_symbol": "€",
        "_links": {"self": [{"href": f"https://shop.example.org/wp-json/wc/v3/orders/{identity}"}],
            "collection": [{"href": "https://shop.example.org/wp-json/wc/v3/orders"}]},
    }


def woocommerce_line(random, identity, product):
    number, name, sku, price = product
    quantity = random.randint(1, 3)
    total, tax = f"{float(price) * quantity:.2f}", f"{float(price) * quantity * 0.19:.2f}"
    return {"id": identity, "name": name, "product_id": number, "variation_id": random.choice([0, 0, number + 1]), "quantity": quantity,
        "tax_class": "", "subtotal": total,
            "subtotal_tax": tax, "total": total, "total_tax": tax, "taxes": [{"id": 1, "total": tax, "subtotal": tax}], "meta_data": [],
            "sku": sku, "price": float(price),
            "image": {"id": str(number + 3), "src": f"https://shop.example.org/{sku}.jpg"}, "parent_name": None}


SHAPES = {
    "kubernetes-pods.json": kubernetes_pods,
    "prometheus-query.json": prometheus_query,
    "docker-inspect.json": docker_inspect,
    "terraform-state.json": terraform_state,
    "cloudtrail-events.json": cloudtrail_events,
    "aws-ec2-instances.json": aws_ec2_instances,
    "openstack-servers.json": openstack_servers,
    "pypi-package.json": pypi_package,
    "cargo-metadata.json": cargo_metadata,
    "homebrew-formulae.json": homebrew_formulae,
    "debian-packages.ndjson": debian_packages,
    "nvd-cves.json": nvd_cves,
    "cyclonedx-sbom.json": cyclonedx_sbom,
    "sarif-results.json": sarif_results,
    "junit-like-tests.json": junit_like_tests,
    "har-log.json": har_log,
    "syslog-lines.ndjson": syslog_lines,
    "bank-transactions.json": bank_transactions,
    "woocommerce-orders.json": woocommerce_orders,
}
