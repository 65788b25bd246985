package dev.leasehold.admin;

import static dev.leasehold.admin.Reading.at;
import static dev.leasehold.admin.Reading.list;
import static dev.leasehold.admin.Reading.number;
import static dev.leasehold.admin.Reading.text;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.admin.Server.WakeUpBy;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptText;
import io.lettuce.core.KeyScanArgs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Redisson's keys, written by Redisson itself or by this library. */
final class RedissonLayout implements Layout {
  private static final ScriptText LOOK = LuaCall.script("redisson-look");
  private static final ScriptText RELEASE = LuaCall.script("redisson-release");
  private static final ScriptText SIDES_RELEASE = LuaCall.script("redisson-sides-release");
  private static final ScriptText KEEP = LuaCall.script("redisson-keep");
  private static final ScriptText TAKE =
      ScriptText.of(LuaCall.text("redisson-take"), Script.DRAW_FENCE.body());

  /** Ids of a client and a thread; thread ids are negative for some asynchronous calls. */
  private static final String PLAIN = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:-?\\d{1,20}";

  private static final String OURS = "-?[A-Za-z0-9._@][A-Za-z0-9._@-]{0,63}:[A-Za-z0-9_-]{22}";
  private static final Pattern HOLDER = Pattern.compile("-?" + PLAIN + "|" + OURS);
  private static final Pattern SIDE = Pattern.compile("(?:" + PLAIN + "|" + OURS + ")(?::write)?");
  private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,9}");
  private static final String WRITE = ":write";

  private final KeySpace space;

  RedissonLayout(KeySpace space) {
    this.space = space;
  }

  @Override
  public Optional<KeyScanArgs> scan(Glob pattern) {
    return Optional.of(Layout.scanFor(space, pattern).type("hash"));
  }

  @Override
  public Optional<Part> named(byte[] key) {
    return Layout.bareName(space, key).map(name -> new Part(name, 0));
  }

  /** Returns a key with its hash tag. Redisson adds no braces if the name contains some. */
  private static String tagged(String prefix, String key) {
    return key.contains("{") ? prefix + ":" + key : prefix + ":{" + key + "}";
  }

  private static String ends(String key) {
    return key.contains("{") ? key : "{" + key + "}";
  }

  private byte[] beside(String key, String suffix) {
    return space.before(tagged("lh", key) + suffix).getBytes(UTF_8);
  }

  @Override
  public LuaCall look(String name, int mostHolds, int mostWaiters) {
    String key = space.before(name);
    return LuaCall.of(
        LOOK,
        new byte[][] {
          space.plain(name),
          beside(key, ":fence"),
          tagged("redisson_lock_queue", key).getBytes(UTF_8),
          beside(key, ":rw:fences")
        },
        ends(key).getBytes(UTF_8),
        Integer.toString(mostHolds).getBytes(US_ASCII),
        Integer.toString(mostWaiters).getBytes(US_ASCII));
  }

  @Override
  public Optional<Other> other(String name, @Nullable Object reply) {
    String key = new String(space.plain(name), ISO_8859_1);
    if (reply instanceof Long fields) {
      return Optional.of(
          new Other(key, "is a hash with " + fields + " fields, too many to be shown"));
    }
    boolean isHash = !list(reply).isEmpty(); // an application's, unless it is a lock
    return isHash && stored(reply).isEmpty()
        ? Optional.of(Other.noLock(key))
        : text(reply).map(Other::noLock);
  }

  @Override
  public List<Stored.Lock> stored(@Nullable Object reply) {
    List<?> all = list(reply);
    List<?> fields = list(at(all, 5));
    if (fields.isEmpty()) {
      return List.of();
    }
    boolean sides = false;
    for (int i = 0; i < fields.size(); i += 3) {
      sides |= text(fields.get(i)).orElse("").equals("mode");
    }
    List<Stored.Hold> holds = new ArrayList<>();
    for (int i = 0; i + 2 < fields.size(); i += 3) {
      String field = text(fields.get(i)).orElse("");
      String value = text(fields.get(i + 1)).orElse("");
      if (sides && field.equals("mode")) {
        if (!value.equals("read") && !value.equals("write")) {
          return List.of();
        }
        continue;
      }
      if (!(sides ? SIDE : HOLDER).matcher(field).matches() || !COUNT.matcher(value).matches()) {
        return List.of(); // an application's hash
      }
      holds.add(hold(field, sides, at(fields, i + 2), all));
    }
    if (holds.isEmpty() || (!sides && holds.size() > 1)) {
      return List.of();
    }
    long waiting = sides ? 0 : number(at(all, 3));
    KindOfLock kind =
        sides
            ? KindOfLock.REDISSON_READ_WRITE_LOCK
            : waiting > 0 ? KindOfLock.REDISSON_FAIR_LOCK : KindOfLock.REDISSON_LOCK;
    return List.of(
        new Stored.Lock(
            kind, 0, holds, holds.size(), sides ? List.of() : waiters(list(at(all, 4))), waiting));
  }

  private static Stored.Hold hold(String field, boolean sides, @Nullable Object left, List<?> all) {
    boolean writes = field.endsWith(WRITE) && sides;
    String token = writes ? field.substring(0, field.length() - WRITE.length()) : field;
    boolean ours = ShownTokens.isOurs(token);
    OptionalLong fence =
        !ours
            ? OptionalLong.empty()
            : sides
                ? Reading.fence(at(list(at(all, 2)), writes ? 1 : 0))
                : Reading.fence(at(all, 1));
    HoldState state =
        ours ? ShownTokens.state(token) : token.startsWith("-") ? HoldState.KEPT : HoldState.HELD;
    return Stored.Hold.of(
        field,
        sides ? writes ? Side.WRITE : Side.READ : Side.ALL,
        state,
        ours ? ShownTokens.shown(token) : token.startsWith("-") ? token.substring(1) : token,
        Reading.remaining(left),
        fence,
        !sides || writes);
  }

  private static List<Stored.Waiter> waiters(List<?> line) {
    List<Stored.Waiter> waiters = new ArrayList<>();
    for (Object each : line) {
      String id = text(each).orElse("");
      String shown =
          ShownTokens.isOurs(id) || !HOLDER.matcher(id).matches() ? ShownTokens.shown(id) : id;
      waiters.add(new Stored.Waiter(id, waiters.size(), shown, Side.ALL, 1, Optional.empty()));
    }
    return waiters;
  }

  @Override
  public LuaCall release(String name, Stored.Hold hold, Server server) {
    String key = space.before(name);
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(hold.token().getBytes(ISO_8859_1));
    if (hold.side() != Side.ALL) {
      arguments.add(ends(key).getBytes(UTF_8));
    }
    arguments.add("PUBLISH".getBytes(US_ASCII));
    if (server.wakeUpBy() == WakeUpBy.SHARD_CHANNEL) {
      arguments.add("SPUBLISH".getBytes(US_ASCII)); // by its settings, a client listens to either
    }
    byte[][] all = arguments.toArray(byte[][]::new);
    return hold.side() == Side.ALL
        ? LuaCall.of(
            RELEASE,
            new byte[][] {
              space.plain(name),
              tagged("redisson_lock__channel", key).getBytes(UTF_8),
              tagged("redisson_lock_queue", key).getBytes(UTF_8),
              tagged("redisson_lock_timeout", key).getBytes(UTF_8)
            },
            all)
        : LuaCall.of(
            SIDES_RELEASE,
            new byte[][] {space.plain(name), tagged("redisson_rwlock", key).getBytes(UTF_8)},
            all);
  }

  @Override
  public Optional<LuaCall> keep(String name, Stored.Hold hold) {
    return hold.side() == Side.ALL && hold.state() == HoldState.HELD && hold.remaining().isPresent()
        ? Optional.of(
            LuaCall.of(KEEP, new byte[][] {space.plain(name)}, hold.token().getBytes(ISO_8859_1)))
        : Optional.empty();
  }

  @Override
  public Optional<Taking> take(LeaseKey lease, Duration ttl) {
    String key = space.before(lease.name());
    return Optional.of(
        new Taking(
            LuaCall.of(
                TAKE,
                new byte[][] {space.plain(lease.name()), beside(key, ":fence")},
                lease.token().getBytes(US_ASCII),
                Long.toString(ttl.toMillis()).getBytes(US_ASCII)),
            reply -> Replies.acquire(reply, ttl)));
  }

  @Override
  public Optional<Taking> vote(LeaseKey lease, Duration ttl, NodeVoter voter, String runId) {
    return Optional.empty();
  }

  @Override
  public List<Omission> omissions(Glob pattern) {
    return List.of(
        new Omission(
            Omission.Reason.INDISTINGUISHABLE,
            "Redisson's semaphores and latches are bare numbers, which can't be distinguished"
                + " from an application's data. Elections, and fair locks without waiters, are"
                + " listed as"
                + " locks."),
        new Omission(
            Omission.Reason.OTHER_SCHEME,
            "Locks in other formats than Redisson's are not listed: lock.backend determines the"
                + " format. Keys are read as they are: a client's NameMapper is not reversed."));
  }
}
