package dev.leasehold.redis.common;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Quoted;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sorts the errors that a Redis server answers. */
public final class RedisErrors {
  /**
   * Codes of a server that can't now. Also looked for inside the text: before Redis 7 an error in a
   * script comes wrapped in "ERR Error running script", with its own code further on.
   */
  private static final Pattern UNAVAILABLE =
      Pattern.compile(
          "\\b(OOM|READONLY|BUSY|LOADING|NOREPLICAS|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN"
              + "|MOVED|ASK|UNBLOCKED|INPROG|QUARANTINE|max number of clients)\\b");

  /** What servers say of a login that is missing, wrong, or not wanted. */
  private static final Pattern LOGIN =
      Pattern.compile("\\b(NOAUTH|WRONGPASS|invalid password)\\b|ERR AUTH ");

  /** Of a cluster, for as long as some of a lock's keys are on one node and others on another. */
  private static final Pattern MOVING = Pattern.compile("\\bTRYAGAIN\\b");

  private RedisErrors() {}

  /** Whether a server that answered this may accept the same later, without a change by anyone. */
  public static Kind kind(String serverWords) {
    Matcher m = UNAVAILABLE.matcher(serverWords);
    return m.find() ? Kind.UNAVAILABLE : Kind.REFUSED;
  }

  /**
   * The server's words as one line, with the settings that it is about where that is known, or with
   * what the cluster does.
   */
  public static String explained(String serverWords) {
    String words = Quoted.text(serverWords);
    if (LOGIN.matcher(serverWords).find()) {
      return words
          + " ("
          + RedisSettings.USERNAME.key()
          + " and "
          + RedisSettings.PASSWORD.key()
          + " say who logs in, or "
          + RedisSettings.URI.key()
          + ")";
    }
    return MOVING.matcher(serverWords).find()
        ? words
            + " (the cluster is moving this lock's slot to another node, and serves its keys"
            + " together only before and after that)"
        : words;
  }

  /** Whether a node of a quorum does not know the run of its server, which it should be told. */
  public static boolean isUnknownRun(String words) {
    return words.contains("QUARANTINE unknown run");
  }

  /** Whether a node of a quorum refuses a client for its list of nodes. */
  static boolean isOtherNodes(String words) {
    return words.contains("OTHERNODES");
  }

  /** Whether the script is not in the server's cache, and was not run. */
  public static boolean isNoScript(@Nullable String serverWords) {
    return serverWords != null && serverWords.startsWith("NOSCRIPT");
  }

  /** Whether the server does not know the command or this form of it, and did nothing. */
  public static boolean isUnknown(@Nullable String serverWords) {
    return serverWords != null
        && (serverWords.startsWith("ERR unknown command")
            || serverWords.startsWith("ERR syntax error"));
  }

  /** The server's words as an exception. */
  public static LockStoreException of(
      String serverWords, String operation, LockKind kind, String name) {
    return new LockStoreException(
        kind(serverWords), message(operation, kind, name) + ": " + explained(serverWords));
  }

  /** What could not be done: {@code Could not acquire semaphore 'x'}. */
  public static String message(String operation, LockKind kind, String name) {
    return "Could not " + operation + " " + kind.named(name);
  }
}
