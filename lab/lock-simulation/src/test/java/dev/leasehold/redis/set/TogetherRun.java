package dev.leasehold.redis.set;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.AllInWorld;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.redis.common.FencedStore;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Several locks in one step, on a server that is paused and crashes, and keeps its data. A refused
 * request has taken none of them (MU-1).
 */
public final class TogetherRun extends TogetherWorld {
  private static final Duration SHORTEST_LEASE = Duration.ofMillis(50);
  private static final Duration USUAL_WAY = Duration.ofMillis(2);

  private final ScriptServer server;

  /** A world whose server runs scripts as changed by a mutant. */
  public TogetherRun(long seed, UnaryOperator<String> change) {
    super(seed, SHORTEST_LEASE);
    server = new ScriptServer(world.node("server", clock()), change);
  }

  @Override
  protected LeaseStore store(SimNode client) {
    LeaseStore store = server.store(client, network(USUAL_WAY));
    return (LeaseStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            FencedStore.class.getInterfaces(),
            (proxy, method, arguments) -> {
              try {
                Object reply = method.invoke(store, arguments);
                if (method.getName().equals("acquireAll")) {
                  watch((CompletionStage<?>) reply, arguments[0]);
                }
                return reply;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /**
   * After a refusal the server holds none of the locks; or all, if the request was delivered twice.
   */
  private void watch(CompletionStage<?> reply, Object requests) {
    List<LeaseKey> keys =
        ((List<?>) requests).stream().map(each -> ((AcquireRequest) each).key()).toList();
    reply.whenComplete(
        (answer, failure) -> {
          if (answer instanceof MultiLockStore.Answer.Refused) {
            long there =
                keys.stream()
                    .filter(key -> key.token().equals(server.byHand("GET", lock(key.name()))))
                    .count();
            if (there > 0 && there < keys.size()) {
              fail("MU-1: " + there + " of what was refused are taken: " + keys);
            }
          }
        });
  }

  @Override
  protected CompletionStage<Optional<List<Part>>> all(
      SimClient client, LockOwner owner, List<String> names) {
    AllInWorld all = new AllInWorld(client, names, options, owner);
    int first = random.nextInt(names.size());
    CompletionStage<Optional<Lease>> asked =
        random.nextBoolean()
            ? all.tryAll()
            : all.await(first).thenCompose(one -> all.rest(first, one));
    return asked.thenApply(found -> found.map(one -> List.of(new Part(names, one))));
  }

  @Override
  protected void trouble(Duration span) {
    server.pauseOrCrash(span, random);
  }

  @Override
  protected String left() {
    TreeSet<Object> left = new TreeSet<>((List<?>) server.byHand("KEYS", "*"));
    NAMES.forEach(name -> left.remove(lock(name) + ":fence"));
    left.removeIf(SimConnection::isWordOfARelease);
    return left.isEmpty() ? "" : left.toString();
  }
}
