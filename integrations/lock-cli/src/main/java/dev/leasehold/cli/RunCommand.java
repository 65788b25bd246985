package dev.leasehold.cli;

import dev.leasehold.cli.process.CommandGroup;
import dev.leasehold.cli.process.Program;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a command while it holds a lock. */
@Command(
    name = "run",
    sortOptions = false,
    customSynopsis = "leasehold run NAME [OPTIONS] -- COMMAND [ARGUMENTS...]",
    description = "Runs a command while it holds the lock of this name.",
    footer = {
      "",
      "Variables for the command: LEASEHOLD_NAME, the lock's name; LEASEHOLD_TOKEN, its fencing"
          + " token, if it has one; LEASEHOLD_SLOTS, the slots of a semaphore on a quorum;"
          + " LEASEHOLD_DEADLINE, the lease's first deadline, in seconds since 1970. The lease is"
          + " renewed while the command runs.",
      "",
      "Durations: 250ms, 2s, 5m, 1h, 1d."
    })
final class RunCommand implements Callable<Integer> {
  static final String NAME = "LEASEHOLD_NAME";
  static final String TOKEN = "LEASEHOLD_TOKEN";
  static final String SLOTS = "LEASEHOLD_SLOTS";
  static final String DEADLINE = "LEASEHOLD_DEADLINE";

  /**
   * The variable in which the launcher script saves the user's {@code LC_ALL}, since it sets
   * another one for this JVM.
   */
  private static final String LOCALE = "LEASEHOLD_LC_ALL";

  private static final String UNSET = "unset";

  private static final Duration LONGEST_WAIT = Duration.ofDays(100_000);
  private static final Duration LONGEST_DEFAULT_GRACE = Duration.ofSeconds(5);
  private static final int GRACE_OF_LEASE = 6;
  private static final int MOST_PERMITS = 1_000_000;
  private static final int MOST_CODE = 255;
  private static final String HERE = "command line";

  @Parameters(index = "0", paramLabel = "NAME", description = "The lock's name.")
  String name;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "What to run.")
  List<String> command;

  @Option(
      names = {"-w", "--wait"},
      paramLabel = "TIME",
      description = "How long to wait for the lock. Default: no limit.")
  @Nullable String wait;

  @Option(
      names = {"-n", "--no-wait"},
      description = "Does not wait for the lock.")
  boolean noWait;

  @Option(
      names = {"-E", "--contended-code"},
      paramLabel = "CODE",
      defaultValue = "75",
      description = "Exit code if others hold the lock, 0 to 255. Default: 75.")
  String contendedCode;

  @Option(
      names = "--lease",
      paramLabel = "TIME",
      description = "How long the lock remains held if this machine fails. Default: 30s.")
  @Nullable String lease;

  @Option(
      names = "--at-least",
      paramLabel = "TIME",
      description =
          "How long the lock remains held even if the command ends earlier. For cron, choose more"
              + " than the machines' clocks differ, and less than the time between runs.")
  @Nullable String atLeast;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      description =
          "How long before the end of the lease to send SIGTERM to the command if renewals fail."
              + " Default: a sixth of the lease, at most 5s. SIGKILL follows just before the end.")
  @Nullable String grace;

  @Option(
      names = "--permits",
      paramLabel = "N",
      description =
          "Uses a semaphore: up to N commands run at a time. All of them must give the same N.")
  @Nullable String permits;

  @Option(names = "--read", description = "Acquires the read side of a read/write lock.")
  boolean read;

  @Option(names = "--write", description = "Acquires the write side of a read/write lock.")
  boolean write;

  @Option(names = "--fair", description = "Grants the lock in order of arrival.")
  boolean fair;

  @Option(
      names = {"-v", "--verbose"},
      description = "Prints to standard error why the lock was not acquired.")
  boolean verbose;

  @Mixin ConnectionOptions store;

  @Override
  public Integer call() throws Exception {
    Optional<Duration> longest = longestWait();
    int refused =
        Setting.integer("-E", ExitCode.CONTENDED, 0, MOST_CODE, "").parse(contendedCode, HERE);
    Function<LockManager, Asking> kind = kind();
    CommandSettings settings = settings();
    LockManager.Opener opener = LockManager.opener(settings);
    opener.check();
    Duration before = grace(LockOptions.from(settings).lease());
    int missing = Program.look(command.get(0), System.getenv());
    if (missing != 0) {
      String what = missing == Program.NOT_FOUND ? " was not found" : " can't be executed";
      Messages.error("the command " + Quoted.name(command.get(0)) + what);
      return missing;
    }
    Turn turn = Turn.begin();
    try (LockManager locks = opener.open()) {
      Optional<Lease> granted = asking(kind, locks).ask(longest);
      if (granted.isEmpty()) {
        if (verbose) {
          Messages.error("lock " + Quoted.name(name) + " is held by others");
        }
        return refused;
      }
      return run(granted.get(), before, turn);
    } catch (InterruptedException e) {
      return turn.signalled();
    }
  }

  /** Runs the command under the lease, and releases it. */
  private int run(Lease held, Duration before, Turn turn) throws InterruptedException {
    int code;
    try {
      code = execute(held, before, turn);
    } catch (IOException e) {
      Messages.error("the command can't be started: " + e.getMessage());
      code = ExitCode.CANNOT_START;
    }
    try {
      held.release();
    } catch (LeaseLostException e) {
      if (code != ExitCode.LOST) {
        Messages.error(e.getMessage() + "; the command ended with " + code);
      }
      return ExitCode.LOST;
    } catch (LockStoreException e) {
      if (code != ExitCode.LOST) {
        Messages.warning("the lock may stay taken until its lease ends: " + e.getMessage());
      }
    }
    return code;
  }

  private int execute(Lease held, Duration before, Turn turn)
      throws IOException, InterruptedException {
    if (turn.isSignalled()) {
      return turn.signalled();
    }
    CommandGroup group = CommandGroup.start(command, environment(held), taken(), before);
    LeaseKeeper keeper = LeaseKeeper.start(held, group, before);
    turn.running(group);
    Optional<Integer> ended = group.await();
    keeper.stop();
    Optional<String> why = keeper.why();
    if (why.isPresent()) {
      Messages.error(why.get());
      return ExitCode.LOST;
    }
    return ended.orElse(ExitCode.CANNOT_START);
  }

  /**
   * Returns the variables to remove from the command's environment: those of an enclosing {@code
   * leasehold run}, and of the launcher script.
   */
  private static Set<String> taken() {
    Set<String> taken = new HashSet<>(Set.of(NAME, TOKEN, SLOTS, DEADLINE, LOCALE));
    if (System.getenv(LOCALE) != null) {
      taken.add("LC_ALL");
    }
    return taken;
  }

  private static Map<String, String> environment(Lease held) {
    Map<String, String> variables = new HashMap<>();
    String locale = System.getenv(LOCALE);
    if (locale != null && !locale.equals(UNSET)) {
      variables.put("LC_ALL", locale);
    }
    variables.put(NAME, held.lockName());
    long deadline = System.currentTimeMillis() + held.remaining().toMillis();
    variables.put(DEADLINE, Long.toString(Duration.ofMillis(deadline).toSeconds()));
    try {
      variables.put(TOKEN, Long.toString(held.fencingToken()));
    } catch (UnsupportedOperationException e) {
      return variables; // a lock without one
    }
    if (!held.slots().isEmpty()) {
      variables.put(
          SLOTS, held.slots().stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    return variables;
  }

  private CommandSettings settings() {
    CommandSettings settings = store.read(System.getenv());
    ConnectionOptions.option(settings, "lock.lease", lease, "--lease");
    ConnectionOptions.option(settings, "lock.at-least", atLeast, "--at-least");
    if (fair) {
      boolean redisson = settings.text("lock.backend").filter("redisson"::equals).isPresent();
      ConnectionOptions.option(
          settings,
          redisson ? "lock.redisson.mode" : "lock.redis.fair",
          redisson ? "fair" : "true",
          "--fair");
    }
    return settings;
  }

  private Optional<Duration> longestWait() {
    if (noWait && wait != null) {
      throw new UsageException("-n and --wait = '" + wait + "': allowed is one of them");
    }
    if (noWait) {
      return Optional.of(Duration.ZERO);
    }
    return Optional.ofNullable(wait)
        .map(
            text ->
                Setting.duration("--wait", Duration.ZERO, Duration.ZERO, LONGEST_WAIT, "")
                    .parse(text, HERE));
  }

  private Duration grace(Duration leased) {
    Duration sixth = leased.dividedBy(GRACE_OF_LEASE);
    Duration usual = sixth.compareTo(LONGEST_DEFAULT_GRACE) < 0 ? sixth : LONGEST_DEFAULT_GRACE;
    if (grace == null) {
      return usual;
    }
    return Setting.duration("--grace", usual, Duration.ZERO, leased.dividedBy(2), "")
        .parse(grace, HERE + "; up to half of the lease");
  }

  private static Asking asking(Function<LockManager, Asking> kind, LockManager locks) {
    try {
      return kind.apply(locks);
    } catch (IllegalArgumentException e) {
      throw new UsageException("NAME: " + e.getMessage());
    }
  }

  /** Returns how a manager's lock of the chosen kind is acquired. */
  private Function<LockManager, Asking> kind() {
    int kinds = (read ? 1 : 0) + (write ? 1 : 0) + (permits == null ? 0 : 1);
    if (kinds > 1) {
      throw new UsageException("--read, --write and --permits: allowed is one of them");
    }
    if (kinds == 1 && atLeast != null) {
      throw new UsageException(
          "--at-least = '" + atLeast + "': allowed only without --read, --write and --permits");
    }
    if (kinds == 1 && fair) {
      throw new UsageException("--fair: allowed only without --read, --write and --permits");
    }
    if (permits != null) {
      int of = Setting.integer("--permits", 1, 1, MOST_PERMITS, "").parse(permits, HERE);
      return locks -> Asking.of(locks.semaphore(name, of));
    }
    if (read) {
      return locks -> Asking.of(locks.readWriteLock(name).read());
    }
    return write
        ? locks -> Asking.of(locks.readWriteLock(name).write())
        : locks -> Asking.of(locks.lock(name));
  }
}
