using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    # The service under test is on loopback.
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", service = "main")],
);

const main :Workerd.Worker = (
  modules = [(name = "bundle", esModule = embed "bundle.js")],
  compatibilityDate = "2026-06-01",
  bindings = [
    (name = "BASE_URL", fromEnvironment = "PETSTORE_BASE_URL"),
    (name = "API_KEY", fromEnvironment = "PETSTORE_API_KEY"),
  ],
);
