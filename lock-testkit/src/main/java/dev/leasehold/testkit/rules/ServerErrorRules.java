package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.CommandProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RespConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Errors returned by the server, and lost connections. */
/*
 * A refused request may still be released in the background, by a store that frees unconditionally: so the check that locking works again uses another name.
 */
final class ServerErrorRules extends Steps {
  private static final int TRIES = 5;

  // ---- FL-2 ----

  @Rule(
      value = "FL-2",
      shows = "out of memory",
      needs = {Need.OPTIONS, Need.VIEW})
  void outOfMemory() {
    serverErrors("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", Kind.UNAVAILABLE, "OOM");
  }

  @Rule(
      value = "FL-2",
      shows = "a replica",
      needs = {Need.OPTIONS, Need.VIEW})
  void readOnly() {
    serverErrors("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE", Kind.UNAVAILABLE, "READONLY");
  }

  @Rule(
      value = "FL-2",
      shows = "a user without permission",
      needs = {Need.OPTIONS, Need.VIEW})
  void noPermission() {
    serverErrors(
        "ACL SETUSER default -set -setnx -eval -evalsha",
        "ACL SETUSER default +@all",
        Kind.REFUSED,
        "NOPERM");
  }

  private void serverErrors(String begin, String end, Kind kind, String words) {
    Site site = ownSite();
    LockManager manager = site.open();
    works(manager, name);
    site.redis().call(begin.split(" ", -1));
    checkRefusal(manager, kind, words);
    site.redis().call(end.split(" ", -1));
    Check.that(site.view().look(name).isEmpty(), "nothing is left on the server");
    works(manager, freshName());
  }

  private void checkRefusal(LockManager manager, Kind kind, String words) {
    LockStoreException failure = refusedInTime(manager, name);
    Check.equal(kind, failure.kind(), "the kind of failure");
    Check.that(
        String.valueOf(failure.getMessage()).contains(words),
        "the message has the server's words: " + failure.getMessage());
  }

  @Rule(
      value = "FL-2",
      shows = "a connection that is closed",
      needs = {Need.REDIS, Need.VIEW})
  void closedConnection() {
    CommandProxy proxy = proxy();
    LockManager manager = site().by(proxy.uri()).open();
    works(manager, name);
    Kind kind = Kind.TIMED_OUT;
    // On a busy machine a quorum may not notice the cut, and clients that reconnect may time out,
    // too.
    for (int i = 0; i < TRIES && kind == Kind.TIMED_OUT; i++) {
      try (ActiveFault cut = proxy.every(CommandMatch.any(), CommandFault.cutBefore())) {
        kind = refused(manager, name).kind();
        Check.that(cut.hits() > 0, "a connection was cut");
      }
      works(manager, freshName());
    }
    Check.equal(Kind.UNREACHABLE, kind, "the kind of failure");
    Check.that(view().look(name).isEmpty(), "nothing is left on the server");
  }

  @Rule(
      value = "FL-2",
      shows = "a server that is loading",
      needs = {Need.REDIS, Need.VIEW})
  void loading() {
    CommandProxy proxy = proxy();
    LockManager manager = site().by(proxy.uri()).open();
    works(manager, name);
    String words = "LOADING Redis is loading the dataset in memory";
    ActiveFault loading = proxy.every(CommandMatch.any(), CommandFault.refuse(words));
    checkRefusal(manager, Kind.UNAVAILABLE, "LOADING");
    loading.close();
    Check.that(view().look(name).isEmpty(), "nothing is left on the server");
    works(manager, freshName());
  }

  @Rule(
      value = "FL-2",
      shows = "a script that runs on",
      needs = {Need.OPTIONS, Need.SCRIPTS})
  void busy() {
    Site site = ownSite();
    LockManager manager = site.open();
    works(manager, name);
    site.redis().call("CONFIG", "SET", "lua-time-limit", "50");
    CompletableFuture<Object> script =
        onThread(() -> site.redis().call("EVAL", "while true do end", "0"));
    Await.until("the server is busy", () -> isBusy(site.redis()));
    checkRefusal(manager, Kind.UNAVAILABLE, "BUSY");
    site.redis().call("SCRIPT", "KILL");
    Await.until("the script has ended", script::isDone);
    works(manager, freshName());
  }

  private static boolean isBusy(RedisServer server) {
    try (RespConnection connection = server.connect()) {
      connection.call("GET", "any");
      return false;
    } catch (RuntimeException error) {
      return String.valueOf(error.getMessage()).contains("BUSY");
    }
  }

  @Rule(
      value = "FL-2",
      shows = "a key of another type",
      needs = {Need.OPTIONS, Need.VIEW})
  void wrongType() throws Exception {
    Site site = ownSite();
    LockManager manager = site.open();
    String key = keyOf(site, manager);
    site.redis().call("DEL", key); // the release may not have reached a quorum's last node
    site.redis().call("RPUSH", key, "a", "b");
    checkRefusal(manager, Kind.REFUSED, "WRONGTYPE");
    Check.equal(
        Optional.of(List.of("a", "b")),
        site.redis().call("LRANGE", key, "0", "-1"),
        "the other's data");
    site.redis().call("DEL", key);
    works(manager, freshName());
  }

  /** The key that holds a lock, found by its content. */
  private String keyOf(Site site, LockManager manager) throws Exception {
    try (Lease lease = manager.lock(name).acquire()) {
      String value = site.view().look(lease.lockName()).orElseThrow().value();
      List<String> found = new ArrayList<>();
      // The inspected server may be a quorum's node whose vote is still in flight.
      Await.until(
          "a key has the holder's token",
          () -> {
            List<?> keys = (List<?>) site.redis().call("KEYS", "*").orElseThrow();
            keys.stream()
                .map(String::valueOf)
                .filter(k -> isIn(site, k, value))
                .forEach(found::add);
            return !found.isEmpty();
          });
      return found.get(0);
    }
  }

  /** Whether the string has this value, or the hash has it as a field. */
  private static boolean isIn(Site site, String key, String value) {
    return switch (site.redis().call("TYPE", key).orElseThrow().toString()) {
      case "string" -> site.redis().call("GET", key).filter(value::equals).isPresent();
      case "hash" -> site.redis().call("HEXISTS", key, value).filter(n -> n.equals(1L)).isPresent();
      default -> false;
    };
  }

  @Rule(
      value = "FL-2",
      shows = "forgotten scripts and closed connections",
      needs = {Need.OPTIONS, Need.SCRIPTS, Need.VIEW})
  void forgottenAndCut() throws Exception {
    Site site = ownSite();
    LockManager manager = site.open();
    works(manager, name);
    site.redis().call("SCRIPT", "FLUSH");
    Lease lease = manager.lock(name).tryAcquire().orElseThrow();
    site.redis().call("SCRIPT", "FLUSH");
    lease.release();
    site.redis().call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    works(manager, name);
    Check.that(site.view().look(name).isEmpty(), "nothing is left on the server");
  }
}
