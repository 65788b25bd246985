package dev.leasehold.redis.set;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.AllInWorld;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.SeveralStore;
import dev.leasehold.redis.set.TogetherCheck.Hold;
import dev.leasehold.simulation.StoryWorld;
import dev.leasehold.testkit.sim.SimClient;
import dev.leasehold.testkit.sim.SimNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Clients that take one, two or three of four locks at once, on one server that is paused and
 * crashes, and keeps its data. {@link TogetherCheck} tells what is looked at; besides, whoever is
 * refused has none of them (MU-1), all come to an end (MU-2), and nothing is left but fences.
 */
public final class TogetherRun extends StoryWorld {
  private static final List<String> NAMES = List.of("a", "b", "c", "d");
  private static final Duration USUAL_WAY = Duration.ofMillis(2);
  private static final Duration THINKING = Duration.ofMillis(20);

  private final ScriptServer server;
  private final Duration lease;
  private final Duration longestHold;
  private final LockOptions options;
  private final TogetherCheck check = new TogetherCheck(world, this::fail);
  private final List<Owner> owners = new ArrayList<>();

  /** A world whose server runs what a mutant makes of the scripts. */
  public TogetherRun(long seed, UnaryOperator<String> change) {
    super(seed);
    server = new ScriptServer(world.node("server", clock()), change);
    lease = Duration.ofMillis(random.nextInt(50, 1200));
    longestHold = Duration.ofMillis(random.nextInt(1, 2 * (int) lease.toMillis()));
    options = options(lease).build();
  }

  @Override
  protected LeaseStore store(SimNode client) {
    LeaseStore store = server.store(client, network(USUAL_WAY));
    return (LeaseStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            RedisSetStore.class.getInterfaces(),
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

  /** Of what was refused nothing is there; or all, of a request that came twice. */
  private void watch(CompletionStage<?> reply, Object requests) {
    List<LeaseKey> keys =
        ((List<?>) requests).stream().map(each -> ((AcquireRequest) each).key()).toList();
    reply.whenComplete(
        (answer, failure) -> {
          if (answer instanceof SeveralStore.Answer.Refused) {
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

  private static String lock(String name) {
    return "lh:{" + name + "}";
  }

  @Override
  protected void come(SimClient client) {
    int count = random.nextInt(1, 4);
    for (int i = 0; i < count; i++) {
      Owner owner = new Owner(client, client.node().name() + "/o" + i);
      owners.add(owner);
      owner.begin();
    }
  }

  @Override
  protected void gone(SimClient client) {
    owners.removeIf(owner -> owner.diedWith(client));
  }

  /** It thinks, takes some, works, and gives them back; again and again. */
  private final class Owner {
    private final SimClient client;
    private final String name;
    private @Nullable Hold held;
    private boolean idle;

    Owner(SimClient client, String name) {
      this.client = client;
      this.name = name;
    }

    boolean diedWith(SimClient dead) {
      if (client == dead && held != null) {
        check.over(held);
      }
      return client == dead;
    }

    void begin() {
      later(THINKING, this::attempt);
    }

    private void later(Duration most, Runnable step) {
      client.node().scheduler().schedule(any(most), step);
    }

    private void attempt() {
      if (isStopped()) {
        idle = true;
        return;
      }
      List<String> names = new ArrayList<>(NAMES);
      Collections.shuffle(names, new Random(random.nextLong()));
      List<String> some = List.copyOf(names.subList(0, random.nextInt(1, 4)));
      LockOwner owner = LockOwner.named(name);
      Map<String, Long> before = check.known();
      if (some.size() == 1) {
        ended(
            client.lock(some.get(0), options).as(owner).acquireAsync().thenApply(Optional::of),
            some,
            before);
        return;
      }
      AllInWorld all = new AllInWorld(client, some, options, owner);
      if (random.nextBoolean()) {
        ended(all.tryAll(), some, before);
      } else {
        int first = random.nextInt(some.size());
        ended(all.await(first).thenCompose(one -> all.rest(first, one)), some, before);
      }
    }

    private void ended(
        CompletionStage<Optional<Lease>> stage, List<String> names, Map<String, Long> before) {
      stage.whenComplete(
          (lease, failure) -> {
            if (failure != null || lease.isEmpty()) {
              begin();
              return;
            }
            Hold hold = new Hold(name, names, lease.get());
            held = hold;
            try {
              check.taken(hold, before);
            } catch (RuntimeException e) {
              fail("MU-5: no token: " + hold + ": " + e);
            }
            later(longestHold, () -> release(hold));
          });
    }

    private void release(Hold hold) {
      held = null;
      check.over(hold);
      hold.lease().releaseAsync().whenComplete((done, failure) -> begin());
    }
  }

  @Override
  protected boolean isIdle() {
    return owners.stream().allMatch(owner -> owner.idle);
  }

  @Override
  protected Duration troubleLasts() {
    return lease.multipliedBy(3);
  }

  @Override
  protected void trouble(Duration span) {
    server.pauseOrCrash(span, random);
  }

  @Override
  protected String left() {
    TreeSet<Object> left = new TreeSet<>((List<?>) server.byHand("KEYS", "*"));
    NAMES.forEach(name -> left.remove(lock(name) + ":fence"));
    return left.isEmpty() ? "" : left.toString();
  }

  @Override
  protected String story() {
    return check.granted();
  }
}
