package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.Scene.is;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.quorum.ListedNode.Membership;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.RecallScripts;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.set.Eval;
import dev.leasehold.simulation.ModelServer;
import dev.leasehold.simulation.ReplyError;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** As {@link ScriptStories}, for votes that {@code usual.lua} and {@code draw.lua} shorten. */
@SuppressWarnings("unused") // called by reflection
final class UsualStories extends ScriptScene {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final List<LeaseKey> KEYS =
      List.of(ONE, ONE, ONE, TWO, RecallScripts.recallable(THREE, "s0"));
  private static final List<String> LISTS = List.of("a,b,c", "a,b,c", "a,b,c", "a,b,d", "-");

  /** Makes each vote in full. */
  private final ModelServer whole =
      new ModelServer(
          () -> micros,
          "run1",
          script ->
              script
                  .replaceFirst("if not is_usual\\(.*\\) then", "if true then")
                  .replaceFirst("local alone = .*", "local alone = false"));

  /** Makes only votes that are usual. */
  private final ModelServer strict =
      new ModelServer(
          () -> micros,
          "run1",
          script ->
              script.replaceFirst(
                  "(if not is_usual\\(.*\\) then)",
                  "$1 do return redis.error_reply('in full') end"));

  private static NodeVoter voter(Duration longest, String lists) {
    NodeVoter made = new NodeVoter(longest, KeySpace.WHOLE);
    made.partOf(() -> new Membership(lists, lists.replaceAll("[a-f]", "host-$0:6379")));
    return made;
  }

  private ScriptRequest vote(NodeVoter voter, AcquireRequest request, long proposal, String run) {
    ScriptRequest vote =
        request.key().token().contains("~")
            ? store.vote(request, proposal, waking(request.key()))
            : store.vote(request, proposal);
    return voter.guard(vote, Script.GUARDED_ACQUIRE, run);
  }

  private static Publishing waking(LeaseKey key) {
    return Publishing.toStore(key.name(), Publishing.COUNTS_ALL);
  }

  private static Object reply(ModelServer asked, ScriptRequest request) {
    try {
      return asked.call(Eval.words(request));
    } catch (ReplyError error) {
      return error.words();
    }
  }

  private void voteIsUsual(boolean usual) {
    NodeVoter voter = voter(LEASE, "a,b,c");
    AcquireRequest request = new AcquireRequest(ONE, LEASE, IfHeld.REFUSE);
    Object reply = reply(strict, vote(voter, request, 0, "run1"));
    check(reply instanceof Long == usual, "after " + micros + " us: " + reply);
  }

  private void recorded(long voted, long entered, long longest) {
    recorded(voted, entered, longest, 10_000);
  }

  private void recorded(long voted, long entered, long longest, long met) {
    long now = micros / 1000;
    strict.call("HSET", "lh:node", "run", "run1", "replid", "run1", "longest", "" + longest);
    strict.call("HSET", "lh:node", "since", "" + (now - met));
    strict.call(
        "HSET",
        "lh:node",
        "voters",
        "10000 " + (now + voted) + " a,b,c host-a:6379,host-b:6379,host-c:6379\n");
    strict.call(
        "HSET", "lh:node", "clients", "10000 " + (now - met) + " " + (now + entered) + "\n");
  }

  /** To make one in full takes the server twice as long. */
  void voteIsUsualWhileNothingNeedsToBeRecorded() {
    long longest = Long.parseLong(voter(LEASE, "-").guardArguments("run1").get(3));
    is(longest, 10_000L);
    recorded(10_000, 1, 9_999);
    voteIsUsual(true);
    strict.call("DEL", LOCK);
    recorded(11_000, 21_000, 9_999);
    voteIsUsual(true);
    strict.call("DEL", LOCK);
    recorded(9_999, 1, 9_999);
    voteIsUsual(false);
    recorded(11_001, 1, 9_999);
    voteIsUsual(false);
    recorded(10_000, 0, 9_999);
    voteIsUsual(false);
    recorded(10_000, 21_001, 9_999);
    voteIsUsual(false);
    recorded(10_000, 1, 10_000);
    voteIsUsual(false);
    recorded(10_000, 1, 9_999, 9_999);
    voteIsUsual(false);
  }

  void damagedMarkerIsReadInFull() {
    recorded(10_000, 1, 9_999);
    strict.call(
        "HSET",
        "lh:node",
        "voters",
        "10000 17e11withtext a,b,c host-a:6379,host-b:6379,host-c:6379\n");
    voteIsUsual(false);
    recorded(10_000, 1, 9_999);
    strict.call("HDEL", "lh:node", "voters");
    voteIsUsual(false);
    recorded(10_000, 1, 9_999);
    strict.call("HDEL", "lh:node", "clients");
    voteIsUsual(false);
    recorded(10_000, 1, 9_999);
    strict.call("HSET", "lh:node", "clients", "10000 1700000000000 17e11withtext\n");
    voteIsUsual(false);
  }

  void voteOfAnotherRunOrOtherDataIsNotUsual() {
    recorded(10_000, 1, 9_999);
    strict.promoted("another");
    voteIsUsual(false);
    strict.call("HSET", "lh:node", "replid", "another");
    voteIsUsual(true);
    strict.call("DEL", LOCK);
    strict.call("HSET", "lh:node", "run", "run2");
    voteIsUsual(false);
  }

  /** A restart gives the marker another time; the clients' line keeps its own. */
  void voteIsUsualAfterARestart() {
    recorded(10_000, 1, 9_999);
    strict.call("HSET", "lh:node", "since", "" + (micros / 1000 - 10_001));
    voteIsUsual(true);
  }

  /** Its request has an empty proposal, as no quorum is asked. */
  void recallableLeaseOfOneServerIsGranted() {
    vote(ONE, 0); // there is a fence
    release(ONE);
    micros += SECOND;
    LeaseKey key = RecallScripts.recallable(ONE, "s0");
    Object reply = send(store.acquire(new AcquireRequest(key, LEASE, IfHeld.REFUSE), waking(key)));
    is(reply, micros);
  }

  void waiterThatGetsTheVoteLeavesTheQueue() {
    acquire(ONE);
    waits(TWO);
    server.call("DEL", LOCK);
    micros += SECOND;
    check(vote(TWO, 0) > 0, "not granted");
    check(!isThere(LOCK + ":wait"), "still in the queue");
  }

  /** The same requests on a server that makes all votes in full: replies and data are the same. */
  void usualVoteIsTheVoteInFull() {
    for (int seed = 0; seed < 5; seed++) {
      new UsualStories().compare(new SplittableRandom(seed));
    }
  }

  private void compare(SplittableRandom random) {
    both(voter(LEASE, "-").enter("run1"));
    micros += 60 * SECOND;
    for (int step = 0; step < 120; step++) {
      micros += pause(random);
      LeaseKey key = KEYS.get(random.nextInt(KEYS.size()));
      NodeVoter voter =
          voter(
              random.nextInt(12) == 0 ? LONG : LEASE,
              LISTS.get(random.nextInt(random.nextInt(4) == 0 ? LISTS.size() : 1)));
      switch (random.nextInt(20)) {
        case 0, 1 -> both(voter.enter(random.nextInt(8) == 0 ? "run2" : "run1"));
        case 2 -> disturb(random);
        case 3, 4, 5, 6, 7, 8 -> both(store.release(key, waking(key)));
        default -> {
          AcquireRequest request =
              new AcquireRequest(
                      key, LEASE, random.nextInt(6) == 0 ? IfHeld.ENQUEUE : IfHeld.REFUSE)
                  .withHandOvers(random.nextInt(6) == 0 ? 5 : 0);
          long proposal = random.nextBoolean() ? 0 : micros + random.nextInt(-3, 6) * SECOND / 2;
          String run = List.of("?", "run2").get(random.nextInt(2));
          both(vote(voter, request, proposal, random.nextInt(10) == 0 ? run : "run1"));
        }
      }
    }
  }

  private static long pause(SplittableRandom random) {
    return switch (random.nextInt(12)) {
      case 0 -> 0;
      case 1 -> random.nextLong(2 * SECOND);
      case 2 -> random.nextInt(8) == 0 ? random.nextLong(70 * SECOND) : 11 * SECOND;
      case 3 -> random.nextInt(8) == 0 ? -2 * SECOND : 1;
      default -> random.nextLong(SECOND / 10);
    };
  }

  private void disturb(SplittableRandom random) {
    switch (random.nextInt(9)) {
      case 0 -> call("HSET", "lh:node", "longest", "30000"); // as an older version does
      case 1 -> call("HDEL", "lh:node", random.nextBoolean() ? "voters" : "clients");
      case 2 -> call("SET", LOCK + ":fence", "nonsense");
      case 3 -> call("DEL", LOCK + ":fence");
      case 4 -> call("SET", LOCK + ":fence", Long.toString(micros + random.nextInt(-9, 9)));
      case 5 -> call("SET", LOCK + ":fence", micros + "+5");
      case 6 -> {
        server.promoted("id" + micros);
        whole.promoted("id" + micros);
      }
      case 7 -> call("HSET", "lh:node", "since", Long.toString(micros / 1000 + 500));
      default -> call("DEL", "lh:node");
    }
  }

  private void call(String... words) {
    server.call(words);
    whole.call(words);
  }

  private void both(ScriptRequest request) {
    Object expected = reply(whole, request);
    Object reply = reply(server, request);
    check(reply.equals(expected), "at " + micros + ": " + reply + ", in full: " + expected);
    for (List<String> read :
        List.of(
            List.of("HGETALL", "lh:node"),
            List.of("GET", LOCK),
            List.of("PTTL", LOCK),
            List.of("GET", LOCK + ":fence"))) {
      String[] words = read.toArray(String[]::new);
      is(String.valueOf(server.call(words)), String.valueOf(whole.call(words)));
    }
  }
}
