package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
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
final class ServerErrorRules {
  private static final int TRIES = 5;

  // ---- FL-2 ----

  @Rule(
      value = "FL-2",
      shows = "out of memory",
      needs = {Need.OPTIONS, Need.VIEW})
  void outOfMemory(Bench bench) {
    Site site = bench.ownSite();
    serverErrors(
        bench,
        site,
        List.of("CONFIG", "SET", "maxmemory", "1"),
        List.of("CONFIG", "SET", "maxmemory", "0"),
        Kind.UNAVAILABLE,
        "OOM");
  }

  @Rule(
      value = "FL-2",
      shows = "a replica",
      needs = {Need.OPTIONS, Need.VIEW})
  void readOnly(Bench bench) {
    Site site = bench.ownSite();
    serverErrors(
        bench,
        site,
        List.of("REPLICAOF", "127.0.0.1", "1"),
        List.of("REPLICAOF", "NO", "ONE"),
        Kind.UNAVAILABLE,
        "READONLY");
  }

  @Rule(
      value = "FL-2",
      shows = "a user without permission",
      needs = {Need.OPTIONS, Need.VIEW})
  void noPermission(Bench bench) {
    Site site = bench.ownSite();
    serverErrors(
        bench,
        site,
        List.of("ACL", "SETUSER", "default", "-set", "-setnx", "-eval", "-evalsha"),
        List.of("ACL", "SETUSER", "default", "+@all"),
        Kind.REFUSED,
        "NOPERM");
  }

  private static void serverErrors(
      Bench bench, Site site, List<String> begin, List<String> end, Kind kind, String words) {
    String name = bench.name();
    LockManager manager = site.open();
    FaultRules.works(manager, name);
    site.redis().call(begin.toArray(String[]::new));
    LockStoreException failure = Answers.refusedInTime(manager, name);
    Check.equal(kind, failure.kind(), "the kind of failure");
    Check.that(
        String.valueOf(failure.getMessage()).contains(words),
        "the message has the server's words: " + failure.getMessage());
    site.redis().call(end.toArray(String[]::new));
    Check.that(site.view().look(name).isEmpty(), "nothing is left on the server");
    FaultRules.works(manager, bench.name());
  }

  @Rule(
      value = "FL-2",
      shows = "a connection that is closed",
      needs = {Need.REDIS, Need.VIEW})
  void closedConnection(Bench bench) {
    String name = bench.name();
    CommandProxy proxy = bench.proxy(bench.site());
    LockManager manager = bench.site().by(proxy.uri()).open();
    FaultRules.works(manager, name);
    Kind kind = Kind.TIMED_OUT;
    // On a busy machine a quorum may not notice the cut, and clients that reconnect may time out,
    // too.
    for (int i = 0; i < TRIES && kind == Kind.TIMED_OUT; i++) {
      try (ActiveFault cut = proxy.every(CommandMatch.any(), CommandFault.cutBefore())) {
        kind = FaultRules.refused(manager, name).kind();
        Check.that(cut.hits() > 0, "a connection was cut");
      }
      FaultRules.works(manager, bench.name());
    }
    Check.equal(Kind.UNREACHABLE, kind, "the kind of failure");
    Check.that(bench.site().view().look(name).isEmpty(), "nothing is left on the server");
  }

  @Rule(
      value = "FL-2",
      shows = "a server that is loading",
      needs = {Need.REDIS, Need.VIEW})
  void loading(Bench bench) {
    String name = bench.name();
    CommandProxy proxy = bench.proxy(bench.site());
    LockManager manager = bench.site().by(proxy.uri()).open();
    FaultRules.works(manager, name);
    String words = "LOADING Redis is loading the dataset in memory";
    ActiveFault loading = proxy.every(CommandMatch.any(), CommandFault.refuse(words));
    LockStoreException failure = Answers.refusedInTime(manager, name);
    Check.equal(Kind.UNAVAILABLE, failure.kind(), "the kind of failure");
    Check.that(
        String.valueOf(failure.getMessage()).contains("LOADING"),
        "the message has the server's words: " + failure.getMessage());
    loading.close();
    Check.that(bench.site().view().look(name).isEmpty(), "nothing is left on the server");
    FaultRules.works(manager, bench.name());
  }

  @Rule(
      value = "FL-2",
      shows = "a script that runs on",
      needs = {Need.OPTIONS, Need.SCRIPTS})
  void busy(Bench bench) {
    Site site = bench.ownSite();
    String name = bench.name();
    LockManager manager = site.open();
    FaultRules.works(manager, name);
    site.redis().call("CONFIG", "SET", "lua-time-limit", "50");
    CompletableFuture<Object> script =
        bench.onThread(() -> site.redis().call("EVAL", "while true do end", "0"));
    Await.until("the server is busy", () -> isBusy(site.redis()));
    LockStoreException failure = Answers.refusedInTime(manager, name);
    Check.equal(Kind.UNAVAILABLE, failure.kind(), "the kind of failure");
    Check.that(
        String.valueOf(failure.getMessage()).contains("BUSY"),
        "the message has the server's words: " + failure.getMessage());
    site.redis().call("SCRIPT", "KILL");
    Await.until("the script has ended", script::isDone);
    FaultRules.works(manager, bench.name());
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
  void wrongType(Bench bench) throws Exception {
    Site site = bench.ownSite();
    String name = bench.name();
    LockManager manager = site.open();
    String key = keyOf(site, manager, name);
    site.redis().call("DEL", key); // the release may not have reached a quorum's last node
    site.redis().call("RPUSH", key, "a", "b");
    LockStoreException failure = Answers.refusedInTime(manager, name);
    Check.equal(Kind.REFUSED, failure.kind(), "the kind of failure");
    Check.that(
        String.valueOf(failure.getMessage()).contains("WRONGTYPE"),
        "the message has the server's words: " + failure.getMessage());
    Check.equal(
        Optional.of(List.of("a", "b")),
        site.redis().call("LRANGE", key, "0", "-1"),
        "the other's data");
    site.redis().call("DEL", key);
    FaultRules.works(manager, bench.name());
  }

  /** The key that holds a lock, found by its content. */
  private static String keyOf(Site site, LockManager manager, String name) throws Exception {
    try (Lease lease = manager.lock(name).acquire()) {
      String value = site.view().look(lease.lockName()).orElseThrow().value();
      List<String> found = new ArrayList<>();
      // The inspected server may be a quorum's node whose vote is still in flight.
      Await.until(
          "a key has the holder's token",
          () -> {
            for (Object key : (List<?>) site.redis().call("KEYS", "*").orElseThrow()) {
              if (isIn(site, key.toString(), value)) {
                found.add(key.toString());
              }
            }
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
  void forgottenAndCut(Bench bench) throws Exception {
    Site site = bench.ownSite();
    String name = bench.name();
    LockManager manager = site.open();
    FaultRules.works(manager, name);
    site.redis().call("SCRIPT", "FLUSH");
    Lease lease = manager.lock(name).tryAcquire().orElseThrow();
    site.redis().call("SCRIPT", "FLUSH");
    lease.release();
    site.redis().call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    FaultRules.works(manager, name);
    Check.that(site.view().look(name).isEmpty(), "nothing is left on the server");
  }
}
