package dev.leasehold.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LockKeys;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.ScriptText;
import dev.leasehold.redis.common.SlotScripts;
import io.lettuce.core.KeyScanArgs;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Locks stored under the library's own keys: {@code lh:{name}} and those that begin with it. */
final class FencedLayout implements Layout {
  /**
   * The endings of the keys that reveal a lock. If a name has several, a listing counts the first.
   */
  static final List<String> PARTS =
      List.of("", ":readers", ":writer", ":permits", ":slots", ":latch");

  static final int LOCK = 0;
  static final int READERS = 1;
  static final int WRITER = 2;
  static final int PERMITS = 3;
  static final int SLOTS = 4;
  static final int LATCH = 5;

  /** All other keys of a name, in the order that look.lua expects. */
  private static final List<String> BESIDE =
      List.of(
          ":readers",
          ":writer",
          ":rw:fences",
          ":rw:wait",
          ":permits",
          ":permits:number",
          ":permits:wait",
          ":slots",
          ":slots:of",
          ":slots:wait",
          ":latch",
          ":latch:wait");

  private static final ScriptText LOOK = LuaCall.script("look");
  private static final byte[] SPUBLISH = "SPUBLISH".getBytes(US_ASCII);

  private static final String BEGIN = "lh:{";

  private final KeySpace space;
  private final Values values;
  private final FencedScripts locks;
  private final FencedScripts votes;

  /** The content of a lock's key. */
  enum Values {
    /** The holder's token. */
    TOKENS,
    /** A time and the holder's token, as written by {@code setnx-timestamp}, which has no queue. */
    TIMES
  }

  FencedLayout(KeySpace space, Values values) {
    this.space = space;
    this.values = values;
    this.locks = new FencedScripts(Script.ACQUIRE, "admin", space);
    this.votes = new FencedScripts(Script.GUARDED_ACQUIRE, "admin", space);
  }

  @Override
  public Optional<KeyScanArgs> scan(Glob pattern) {
    String names = pattern.forServer(FencedLayout::escaped);
    return Optional.of(new KeyScanArgs().match(space.before(BEGIN) + names + "}*").limit(AT_ONCE));
  }

  private static String escaped(int c) {
    return switch (c) {
      case '%' -> "%25";
      case '{' -> "%7B";
      case '}' -> "%7D";
      default -> Character.toString(c);
    };
  }

  @Override
  public Optional<Part> named(byte[] key) {
    String text = Layout.text(key).orElse("");
    String begin = space.before(BEGIN);
    int end = text.indexOf('}', begin.length());
    if (!text.startsWith(begin) || end < 0) {
      return Optional.empty();
    }
    int part = PARTS.indexOf(text.substring(end + 1));
    String name =
        text.substring(begin.length(), end)
            .replace("%7B", "{")
            .replace("%7D", "}")
            .replace("%25", "%");
    return part >= 0 && Arrays.equals(beside(name, PARTS.get(part)), key)
        ? Optional.of(new Part(name, part))
        : Optional.empty();
  }

  private byte[] beside(String name, String end) {
    byte[] lock = space.lock(name);
    byte[] more = end.getBytes(US_ASCII);
    byte[] key = Arrays.copyOf(lock, lock.length + more.length);
    System.arraycopy(more, 0, key, lock.length, more.length);
    return key;
  }

  @Override
  public LuaCall look(String name, int mostHolds, int mostWaiters) {
    LockKeys own = space.keys(name);
    byte[][] keys = new byte[3 + BESIDE.size()][];
    keys[0] = own.lock();
    keys[1] = own.fence();
    keys[2] = own.waiters();
    for (int i = 0; i < BESIDE.size(); i++) {
      keys[3 + i] = beside(name, BESIDE.get(i));
    }
    return LuaCall.of(LOOK, keys, ascii(mostHolds), ascii(mostWaiters));
  }

  private static byte[] ascii(int number) {
    return Integer.toString(number).getBytes(US_ASCII);
  }

  @Override
  public List<Stored.Lock> stored(@Nullable Object reply) {
    return FencedReply.locks(Reading.list(reply), values);
  }

  @Override
  public Optional<Other> other(String name, @Nullable Object reply) {
    if (!stored(reply).isEmpty()) {
      return Optional.empty();
    }
    List<?> all = Reading.list(reply);
    if (values == Values.TIMES && FencedReply.isUntimed(all)) {
      return Optional.of(Other.noLock(new String(space.lock(name), ISO_8859_1)));
    }
    return Reading.text(Reading.at(Reading.list(Reading.at(all, 6)), 0)).map(Other::noLock);
  }

  @Override
  public LuaCall release(String name, Stored.Hold hold, Server server) {
    if (values == Values.TIMES) {
      byte[][] keys = {space.lock(name)};
      return LuaCall.of(
          new ScriptRequest(
              Script.PLAIN_RELEASE, keys, new byte[][] {hold.token().getBytes(US_ASCII)}));
    }
    LeaseKey lease = new LeaseKey(name, hold.token());
    Publishing how = publishing(name, server);
    return LuaCall.of(
        switch (hold.side()) {
          case ALL -> locks.release(lease, how);
          case READ -> side(ReadWriteScripts.Side.READ).release(lease, how);
          case WRITE -> side(ReadWriteScripts.Side.WRITE).release(lease, how);
          case PERMITS ->
              hold.isSlot()
                  ? new SlotScripts("admin", space, List.of(), 1).release(lease, how)
                  : new PermitScripts("admin", space, 1, 1).release(lease, how);
        });
  }

  private ReadWriteScripts side(ReadWriteScripts.Side side) {
    return new ReadWriteScripts("admin", space, side, "");
  }

  private Publishing publishing(String name, Server server) {
    return switch (server.wakeUpBy()) {
      case STORE_CHANNEL -> space.toStore(name, Publishing.COUNTS_ALL);
      case STORE_CHANNEL_IN_CLUSTER -> space.toStore(name, Publishing.COUNTS_ONE_NODE);
      case SHARD_CHANNEL ->
          // The message has no meaning there: the channel names the lock.
          new Publishing(
              SPUBLISH, space.shardChannelPrefix(name), new byte[0], Publishing.COUNTS_ALL);
    };
  }

  /**
   * Writes a tombstone, as an early release of a minimum hold does; only locks and writers are
   * strings, which can have one.
   */
  @Override
  public Optional<LuaCall> keep(String name, Stored.Hold hold) {
    LeaseKey lease = new LeaseKey(name, hold.token());
    Duration whole = hold.remaining().orElse(Duration.ZERO);
    if (hold.state() != HoldState.HELD || whole.isZero() || values == Values.TIMES) {
      return Optional.empty();
    }
    // The script shortens it to what is left of the hold.
    Duration rest = whole.plusDays(1);
    return switch (hold.side()) {
      case ALL -> Optional.of(LuaCall.of(FencedScripts.keep(space.lock(name), lease, rest)));
      case WRITE ->
          Optional.of(LuaCall.of(FencedScripts.keep(beside(name, ":writer"), lease, rest)));
      case READ, PERMITS -> Optional.empty();
    };
  }

  @Override
  public Optional<Taking> take(LeaseKey lease, Duration ttl) {
    if (values == Values.TIMES) {
      return Optional.empty();
    }
    return taking(locks.acquire(new AcquireRequest(lease, ttl, IfHeld.REFUSE)), ttl);
  }

  @Override
  public Optional<Taking> vote(LeaseKey lease, Duration ttl, NodeVoter voter, String runId) {
    if (values == Values.TIMES) {
      return Optional.empty();
    }
    ScriptRequest request = votes.vote(new AcquireRequest(lease, ttl, IfHeld.REFUSE), 0);
    return taking(voter.guard(request, Script.GUARDED_ACQUIRE, runId), ttl);
  }

  private static Optional<Taking> taking(ScriptRequest request, Duration ttl) {
    return Optional.of(new Taking(LuaCall.of(request), reply -> Replies.acquire(reply, ttl)));
  }

  @Override
  public List<Omission> omissions(Glob pattern) {
    return List.of(
        new Omission(
            Omission.Reason.INDISTINGUISHABLE,
            "Elections, the members of combined locks, and fair locks without waiters are listed"
                + " as locks: their keys are the same."),
        new Omission(
            Omission.Reason.OTHER_SCHEME,
            "Locks in other formats are not listed: bare keys (lock.redis-set.mode = plain), "
                + "timestamps (lock.redis-setnx.scheme) and Redisson's (lock.backend ="
                + " redisson)."));
  }
}
