"""A customer's server that gives and redeems credits, and the operator beside it."""


class Credits:
    def __init__(self, app):
        self.app, self.server = app, app.server

    def give(self, identity, amount, **fields):
        return self._post("/v1/credits", identity, amount, fields)

    def redeem(self, identity, amount, headers=None, **fields):
        return self._post("/v1/redeem", identity, amount, fields, headers)

    def _post(self, call, identity, amount, fields, headers=None):
        return self.server.post(call, self.app.secret | {"identity": identity, "amount": amount} | fields, headers)

    def of(self, identity):
        """The user's balance by bucket."""
        return self.server.get(f"/v1/credits?branch_key={self.app.branch_key}&identity={identity}").json

    def history(self, identity, **options):
        fields = {"branch_key": self.app.branch_key, "identity": identity} | options
        return self.server.post("/v1/credithistory", fields).json

    def command(self, *arguments):
        return self.server.command("credits", *arguments, "--app", self.app.branch_key, "--format", "json")

    def ask(self, *arguments):
        return self.server.ask("credits", *arguments, "--app", self.app.branch_key)

    def verify(self):
        done = self.server.command("verify", "--format", "json")
        return done.status, done.json
