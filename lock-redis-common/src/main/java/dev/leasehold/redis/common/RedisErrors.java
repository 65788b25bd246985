package dev.leasehold.redis.common;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Quoted;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Classifies the errors of a Redis server. */
public final class RedisErrors {
  /**
   * Codes of temporary errors. Searched inside the text, too: before Redis 7, an error in a script
   * arrives wrapped in "ERR Error running script", with its own code further on.
   */
  private static final Pattern UNAVAILABLE =
      Pattern.compile(
          "\\b(OOM|READONLY|BUSY|LOADING|NOREPLICAS|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN"
              + "|MOVED|ASK|UNBLOCKED|INPROG|QUARANTINE|max number of clients)\\b");

  /** Errors about a login that is missing, wrong or not expected. */
  private static final Pattern LOGIN =
      Pattern.compile("\\b(NOAUTH|WRONGPASS|invalid password)\\b|ERR AUTH ");

  /** A cluster's error while some of a lock's keys are on one node and others on another. */
  private static final Pattern MOVING = Pattern.compile("\\bTRYAGAIN\\b");

  /** A server's answer where a Sentinel was expected. */
  private static final Pattern NO_SENTINEL =
      Pattern.compile("unknown command\\W+SENTINEL\\b", Pattern.CASE_INSENSITIVE);

  /** How a Sentinel's address usually differs from a server's. */
  static final String SENTINEL_PORT = "a Sentinel, whose port is 26379 by default";

  private RedisErrors() {}

  /** Whether a server that is no Sentinel was asked as one. */
  static boolean isNoSentinel(String words) {
    return NO_SENTINEL.matcher(words).find();
  }

  /** Whether the server may accept the same request later without any change by an operator. */
  public static Kind kind(String serverWords) {
    Matcher m = UNAVAILABLE.matcher(serverWords);
    return m.find() ? Kind.UNAVAILABLE : Kind.REFUSED;
  }

  /**
   * The server's message in one line, with the settings that it is about or, while a slot is moved,
   * what the cluster is doing.
   */
  public static String explained(String serverWords) {
    String words = Quoted.text(serverWords);
    if (LOGIN.matcher(serverWords).find()) {
      return words
          + " ("
          + RedisSettings.USERNAME.key()
          + " and "
          + RedisSettings.PASSWORD.key()
          + " set the login, or "
          + RedisSettings.URI.key()
          + ")";
    }
    if (serverWords.contains("WRONGTYPE Operation")) {
      return words + " (another program has written one of this lock's keys)";
    }
    if (isNoSentinel(serverWords)) {
      return words + " (this server is not " + SENTINEL_PORT + ")";
    }
    return MOVING.matcher(serverWords).find()
        ? words
            + " (the cluster is moving this lock's slot to another node, and serves its keys"
            + " together only before and after that)"
        : words;
  }

  /** Whether a quorum's node does not know its server's run, and the client has to register it. */
  public static boolean isUnknownRun(String words) {
    return words.contains("QUARANTINE unknown run");
  }

  /** Whether a quorum's node refuses a client because of its list of nodes. */
  static boolean isOtherNodes(String words) {
    return words.contains("OTHERNODES");
  }

  /** Whether the script is missing in the server's cache, and was not run. */
  public static boolean isNoScript(@Nullable String serverWords) {
    return serverWords != null && serverWords.startsWith("NOSCRIPT");
  }

  /** Whether the server does not know the command or this form of it, and has done nothing. */
  public static boolean isUnknown(@Nullable String serverWords) {
    return serverWords != null
        && (serverWords.startsWith("ERR unknown command")
            || serverWords.startsWith("ERR syntax error"));
  }

  /** Whether the user may not send the command, or not for these keys. */
  static boolean isForbidden(@Nullable String serverWords) {
    return serverWords != null && serverWords.startsWith("NOPERM");
  }

  /** The server's error as an exception. */
  public static LockStoreException of(
      String serverWords, String operation, LockKind kind, String name) {
    return new LockStoreException(
        kind(serverWords), message(operation, kind, name) + ": " + explained(serverWords));
  }

  /** The description of a failure: {@code Could not acquire semaphore 'x'}. */
  public static String message(String operation, LockKind kind, String name) {
    return "Could not " + operation + " " + kind.named(name);
  }
}
