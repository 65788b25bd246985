package dev.leasehold.admin;

import static dev.leasehold.admin.Reading.at;
import static dev.leasehold.admin.Reading.list;
import static dev.leasehold.admin.Reading.number;
import static dev.leasehold.admin.Reading.text;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.ScriptText;
import io.lettuce.core.KeyScanArgs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Locks stored under their bare names, as a single string: a token or a time. */
final class BareLayout implements Layout {
  private static final ScriptText LOOK = AdminScripts.of("plain-look");

  /** The content of the string. */
  enum Format {
    /** Any text that its owner wrote. */
    TOKEN(".*", 0),
    /** Whole seconds since 1970; expired once the clock shows a later second. */
    SECONDS("\\d{1,12}", 1000),
    /** Seconds since 1970 with a fraction; or an empty string with a time to live. */
    FRACTION("\\d{1,12}(?:\\.\\d{1,12})?|", 1000),
    /** Milliseconds since 1970. */
    MILLIS("\\d{1,15}", 1);

    private final Pattern form;
    private final int millis;

    Format(String form, int millis) {
      this.form = Pattern.compile(form, Pattern.DOTALL);
      this.millis = millis;
    }
  }

  private final KeySpace space;
  private final Format format;

  /** Whether only values in the format of this library's tokens count as locks, or any value. */
  private final boolean onlyOurs;

  BareLayout(KeySpace space, Format format) {
    this(space, format, false);
  }

  private BareLayout(KeySpace space, Format format, boolean onlyOurs) {
    this.space = space;
    this.format = format;
    this.onlyOurs = onlyOurs;
  }

  @Override
  public Layout listing(Glob pattern) {
    return new BareLayout(space, format, pattern.isAll());
  }

  /** Returns no scan without a pattern: a time looks like any number of an application. */
  @Override
  public Optional<KeyScanArgs> scan(Glob pattern) {
    if (pattern.isAll() && format != Format.TOKEN) {
      return Optional.empty();
    }
    KeyScanArgs args = new KeyScanArgs().type("string");
    args.match(space.prefix() + pattern.forServer(Character::toString)).limit(FencedLayout.AT_ONCE);
    return Optional.of(args);
  }

  @Override
  public Optional<Part> named(byte[] key) {
    return BareKeys.name(space, key).map(name -> new Part(name, 0));
  }

  @Override
  public LuaCall look(String name, int mostHolds, int mostWaiters) {
    return LuaCall.of(LOOK, new byte[][] {space.plain(name)});
  }

  @Override
  public Optional<Other> other(String name, @Nullable Object reply) {
    boolean isUnknown =
        text(at(list(reply), 0)).filter(v -> !format.form.matcher(v).matches()).isPresent();
    return isUnknown
        ? Optional.of(Other.noLock(new String(space.plain(name), ISO_8859_1)))
        : text(reply).map(Other::noLock);
  }

  @Override
  public List<Stored.Lock> stored(@Nullable Object reply) {
    List<?> all = list(reply);
    Optional<String> value = text(at(all, 0)).filter(v -> format.form.matcher(v).matches());
    if (value.isEmpty() || (onlyOurs && !ShownTokens.isOurs(value.get()))) {
      return List.of();
    }
    Optional<Duration> remaining = Reading.remaining(at(all, 1));
    if (format != Format.TOKEN && !value.get().isEmpty()) {
      Duration left = left(value.get(), number(at(all, 2)) / 1000);
      remaining = Optional.of(remaining.filter(ttl -> ttl.compareTo(left) < 0).orElse(left));
      if (left.isZero()) {
        return List.of(); // free to be taken over
      }
    }
    Stored.Hold hold =
        new Stored.Hold(
            value.get(),
            Side.ALL,
            format == Format.TOKEN ? ShownTokens.state(value.get()) : HoldState.HELD,
            ShownTokens.shown(value.get()),
            remaining,
            OptionalLong.empty(),
            Optional.empty(),
            1,
            false);
    KindOfLock kind = format == Format.TOKEN ? KindOfLock.PLAIN_LOCK : KindOfLock.TIMESTAMP_LOCK;
    return List.of(new Stored.Lock(kind, 0, List.of(hold), 1, List.of(), 0));
  }

  private Duration left(String value, long nowMillis) {
    long end = (long) (Double.parseDouble(value) * format.millis);
    long free = format == Format.SECONDS ? end + 1000 : end;
    return Duration.ofMillis(Math.max(0, free - nowMillis));
  }

  @Override
  public LuaCall release(String name, Stored.Hold hold, Server server) {
    byte[][] keys = {space.plain(name)};
    byte[][] arguments = {hold.token().getBytes(ISO_8859_1)};
    return LuaCall.of(new ScriptRequest(Script.PLAIN_RELEASE, keys, arguments));
  }

  @Override
  public Optional<LuaCall> keep(String name, Stored.Hold hold) {
    boolean ends = hold.remaining().isPresent() && ShownTokens.isOurs(hold.token());
    return format == Format.TOKEN && ends && hold.state() == HoldState.HELD
        ? Optional.of(
            LuaCall.of(
                FencedScripts.keep(
                    space.plain(name),
                    new LeaseKey(name, hold.token()),
                    hold.remaining().orElseThrow().plusDays(1))))
        : Optional.empty();
  }

  @Override
  public Optional<Taking> take(LeaseKey lease, Duration ttl) {
    return format == Format.TOKEN
        ? Optional.of(taking(acquisition(Script.PLAIN_ACQUIRE, lease, ttl), ttl))
        : Optional.empty();
  }

  @Override
  public Optional<Taking> vote(LeaseKey lease, Duration ttl, NodeVoter voter, String runId) {
    ScriptRequest request = acquisition(Script.PLAIN_ACQUIRE, lease, ttl);
    return format == Format.TOKEN
        ? Optional.of(taking(voter.guard(request, Script.GUARDED_PLAIN_ACQUIRE, runId), ttl))
        : Optional.empty();
  }

  private ScriptRequest acquisition(Script script, LeaseKey lease, Duration ttl) {
    byte[][] arguments = {
      lease.token().getBytes(ISO_8859_1), Long.toString(ttl.toMillis()).getBytes(ISO_8859_1)
    };
    return new ScriptRequest(script, new byte[][] {space.plain(lease.name())}, arguments);
  }

  private static Taking taking(ScriptRequest request, Duration ttl) {
    return new Taking(LuaCall.of(request), reply -> Replies.withoutFence((Long) reply, ttl));
  }

  @Override
  public List<Omission> omissions(Glob pattern) {
    String bare =
        format == Format.TOKEN
            ? "The names are bare keys: with the pattern * only those are listed that hold a"
                + " token of"
                + " this library. Locks of other clients can't be distinguished from an"
                + " application's strings without a pattern for their names, with which all"
                + " matches are listed."
            : "The names are bare keys with a time: they can't be distinguished from an"
                + " application's numbers without a pattern for their names, with which all"
                + " matches are listed.";
    Omission other =
        new Omission(
            Omission.Reason.OTHER_SCHEME,
            "Locks in other formats are not listed: lock.backend and its settings determine the"
                + " format.");
    return pattern.isAll()
        ? List.of(new Omission(Omission.Reason.BARE_KEYS, bare), other)
        : List.of(other);
  }
}
