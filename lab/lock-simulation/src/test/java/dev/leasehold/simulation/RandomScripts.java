package dev.leasehold.simulation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.quorum.ListedNode.Membership;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LockKeys;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.RecallScripts;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.TogetherScripts;
import dev.leasehold.redis.set.Eval;
import dev.leasehold.redisson.AdapterScripts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Random calls of the production scripts, with arguments from the production code, for a few tokens
 * and names; interspersed with corruptions of their data.
 */
final class RandomScripts {
  private static final String CHANNEL = new String(Publishing.channelOf("s0"), US_ASCII);

  /** Majorities of the first two lists intersect; those of the others may not. */
  private static final List<String> LISTS =
      List.of("a,b,c", "a,b,c,d", "a,b,d|a,b,?", "d,e,f", "-");

  private static final String FAIR = FencedScripts.inOrder("s2");
  private static final String FAIR_CHANNEL = new String(Publishing.channelOf(FAIR), US_ASCII);

  private final SplittableRandom random;
  private final String run;
  private final List<FencedScripts> stores =
      List.of(
          new FencedScripts(Script.ACQUIRE, "s0"), new FencedScripts(Script.SETNX_ACQUIRE, "s1"));
  private final List<FencedScripts> fair =
      List.of(
          new FencedScripts(Script.ACQUIRE, FAIR), new FencedScripts(Script.SETNX_ACQUIRE, FAIR));
  private final FencedScripts node =
      new FencedScripts(Script.GUARDED_ACQUIRE, FAIR, KeySpace.WHOLE);
  private final List<TogetherScripts> together =
      List.of(
          new TogetherScripts(Script.TOGETHER, KeySpace.WHOLE),
          new TogetherScripts(Script.SETNX_TOGETHER, KeySpace.WHOLE));
  private final RandomKinds kinds;
  private final TreeMap<String, Integer> made = new TreeMap<>();

  RandomScripts(long seed, String run) {
    this.random = new SplittableRandom(seed);
    this.run = run;
    this.kinds = new RandomKinds(random, run);
    for (Script script : Script.values()) {
      made.put(script.name(), 0);
    }
    List.of(
            Script.HISTORY,
            Script.GUARD,
            Script.VOTE,
            Script.DRAW_FENCE,
            Script.DRAW_SIDE_FENCE,
            Script.NOT_GONE,
            Script.RAISE_FENCE,
            Script.GIVE_BACK_NUMBERS,
            Script.GIVE_BACK_SIDE_NUMBERS)
        .forEach(part -> made.remove(part.name()));
    AdapterScripts.names().forEach(name -> made.put("redisson " + name, 0));
  }

  List<String> channels() {
    List<String> all = new ArrayList<>(AdapterScripts.channels());
    all.add(CHANNEL);
    all.add(FAIR_CHANNEL);
    return all;
  }

  /** Scripts not sent so far: the random calls must cover every script. */
  List<String> notGranted() {
    return made.keySet().stream().filter(name -> made.get(name) == 0).toList();
  }

  List<String> next() {
    int what = random.nextInt(100);
    if (what < 6) {
      return random.nextInt(3) == 0 ? kinds.disturbance() : disturbance();
    }
    if (what < 34) {
      List<String> names = AdapterScripts.names();
      String name = names.get(random.nextInt(names.size()));
      made.merge("redisson " + name, 1, Integer::sum);
      return AdapterScripts.eval(name, random, run);
    }
    ScriptRequest request = what < 66 ? kinds.next() : ours();
    made.merge(request.script().name(), 1, Integer::sum);
    return Eval.words(request);
  }

  private List<String> disturbance() {
    String lock = new String(LockKeys.lock("a"), US_ASCII);
    return switch (random.nextInt(9)) {
      case 6, 7, 8 ->
          List.of("HSET", "lh:node", "run", run, "since", "0", "longest", "0"); // admitted by hand
      case 0 -> List.of("SET", lock + ":fence", "nonsense");
      case 1 -> List.of("DEL", lock + ":fence");
      case 2 -> List.of("RPUSH", lock, "not a lock");
      case 3 -> List.of("PERSIST", lock);
      case 4 -> List.of("DEL", lock);
      default -> List.of("DEL", "lh:node");
    };
  }

  private ScriptRequest ours() {
    FencedScripts store = stores.get(random.nextInt(stores.size()));
    LeaseKey plain = new LeaseKey(random.nextInt(5) == 0 ? "b" : "a", "c:" + random.nextInt(3));
    LeaseKey fresh = random.nextBoolean() ? plain : new LeaseKey(plain.name(), plain.token() + ".");
    LeaseKey recallable = RecallScripts.recallable(fresh, "s0");
    LeaseKey key = random.nextInt(4) == 0 ? recallable : fresh;
    Duration ttl = Duration.ofMillis(random.nextInt(10) == 0 ? 3 : random.nextInt(60_000, 90_000));
    IfHeld ifHeld = random.nextBoolean() ? IfHeld.ENQUEUE : IfHeld.REFUSE;
    AcquireRequest first = new AcquireRequest(key, ttl, ifHeld);
    AcquireRequest acquire =
        (random.nextBoolean() ? first.repeated() : first)
            .withHandOvers(random.nextBoolean() ? 0 : random.nextInt(1_500_000));
    long proposal = random.nextInt(3) == 0 ? 0 : random.nextBoolean() ? 17 : 9007199254740000L;
    Publishing how = Publishing.toStore(key.name(), Publishing.COUNTS_ALL);
    String known = random.nextInt(9) == 0 ? "another" : run;
    Duration longest = Duration.ofMillis(random.nextInt(40) == 0 ? 30_000 : 1);
    return switch (random.nextInt(15)) {
      case 13, 14 -> several(ttl);
      case 12 -> FencedScripts.keep(LockKeys.lock(key.name()), key, ttl);
      case 0, 1 ->
          random.nextBoolean()
              ? store.acquire(acquire, how)
              : fair.get(random.nextInt(fair.size())).voteInOrder(acquire, 0, how);
      case 2, 3 ->
          random.nextBoolean()
              ? voter(longest).guard(vote(acquire, proposal, how), Script.GUARDED_ACQUIRE, known)
              : voter(longest)
                  .guard(
                      node.voteInOrder(acquire, proposal, how), Script.GUARDED_FAIR_ACQUIRE, known);
      case 4 -> store.release(key, new FenceRun(16, 17), how);
      case 5 ->
          random.nextInt(4) == 0
              ? FencedScripts.gone(key, KeySpace.WHOLE)
              : store.release(key, how);
      case 6 -> random.nextBoolean() ? store.leave(key, how) : store.withdraw(key);
      case 7 ->
          FencedScripts.renew(
              List.of(new RenewRequest(key, ttl), new RenewRequest(new LeaseKey("b", "c:1"), ttl)),
              LockKeys::lock);
      case 8 -> FencedScripts.raise(key, proposal, random.nextInt(2), KeySpace.WHOLE);
      case 9 ->
          switch (random.nextInt(3)) {
            case 0 -> inspectOrTime(store, key);
            case 1 -> RecallScripts.recall(recallable, how, KeySpace.WHOLE);
            default -> voter(longest).enter(known);
          };
      default -> plain(key, ttl, known, longest);
    };
  }

  private ScriptRequest vote(AcquireRequest request, long proposal, Publishing how) {
    return random.nextBoolean()
        ? stores.get(0).vote(request, proposal, how)
        : stores.get(0).vote(request, proposal);
  }

  private ScriptRequest inspectOrTime(FencedScripts store, LeaseKey key) {
    return random.nextInt(9) == 0 ? FencedScripts.time() : store.inspect(key.name());
  }

  /** A client with a list of nodes, with or without earlier votes. */
  private NodeVoter voter(Duration longest) {
    NodeVoter made = new NodeVoter(longest, KeySpace.WHOLE);
    String lists = LISTS.get(random.nextInt(LISTS.size()));
    made.partOf(() -> new Membership(lists, "names"));
    if (random.nextBoolean()) {
      made.voted();
    }
    return made;
  }

  private ScriptRequest several(Duration ttl) {
    List<LeaseKey> keys =
        List.of(
            new LeaseKey("a", "c:" + random.nextInt(3)),
            new LeaseKey("b", "c:" + random.nextInt(3)));
    int wanted = random.nextInt(4) == 0 ? 1 : 2;
    List<AcquireRequest> requests =
        keys.subList(0, wanted).stream()
            .map(key -> new AcquireRequest(key, ttl, IfHeld.REFUSE))
            .toList();
    TogetherScripts store = together.get(random.nextInt(together.size()));
    if (random.nextInt(3) == 0) {
      return store.release(keys, name -> Publishing.toStore(name, Publishing.COUNTS_ALL));
    }
    return store.acquire(requests, keys.subList(wanted, 2));
  }

  private ScriptRequest plain(LeaseKey key, Duration ttl, String known, Duration longest) {
    byte[][] keys = {LockKeys.plain("p")};
    byte[] token = key.token().getBytes(US_ASCII);
    ScriptRequest acquire =
        new ScriptRequest(
            Script.PLAIN_ACQUIRE,
            keys,
            new byte[][] {token, Long.toString(ttl.toMillis()).getBytes(US_ASCII)});
    return switch (random.nextInt(5)) {
      case 4 -> FencedScripts.keep(LockKeys.plain("p"), key, ttl);
      case 0 -> acquire;
      case 1 -> voter(longest).guard(acquire, Script.GUARDED_PLAIN_ACQUIRE, known);
      case 2 -> new ScriptRequest(Script.PLAIN_RELEASE, keys, new byte[][] {token});
      default -> new ScriptRequest(Script.PLAIN_INSPECT, keys, new byte[0][]);
    };
  }
}
