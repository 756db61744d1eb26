"""Creates a work order for the first truck and prints its number. Needs nothing but Python 3.9 or newer."""
import json
import os
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("MAESTRANZA_URL", "http://127.0.0.1:3000")


def call(method, path, body=None, token=None, key=None):
    request = urllib.request.Request(URL + "/api" + path, method=method)
    if token:
        request.add_header("Authorization", "Bearer " + token)
    if key:  # The same key sent again creates once and answers the same.
        request.add_header("Idempotency-Key", key)
    data = None
    if body is not None:
        request.add_header("Content-Type", "application/json")
        data = json.dumps(body).encode()
    try:
        with urllib.request.urlopen(request, data) as answer:
            text = answer.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        failure = json.load(error)
        # 422: the Spanish sentences of each field, such as {"truck_id": ["Elija una opción."]}.
        raise SystemExit(f"{error.code} {failure['message']} {json.dumps(failure.get('errors', {}), ensure_ascii=False)}")


# An API key of Configuración, Claves de API, does in place of this token.
session = call("POST", "/v1/login", {"email": os.environ["MAESTRANZA_EMAIL"], "password": os.environ["MAESTRANZA_PASSWORD"]})
token = session["token"]

trucks = call("GET", "/v1/trucks?per_page=1&sort=code", token=token)
if trucks["total"] == 0:
    raise SystemExit("No hay equipos.")
truck = trucks["data"][0]

order = call(
    "POST",
    "/v1/order_workers",
    {
        "workshop_id": truck["workshop_id"],
        "truck_id": truck["id"],
        "description_of_requeriment": "Revisar frenos",
        "priority": os.environ.get("PRIORITY", "high"),
    },
    token=token,
    key=str(uuid.uuid4()),
)
print(order["code"])
