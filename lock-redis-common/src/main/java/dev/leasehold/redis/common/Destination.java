package dev.leasehold.redis.common;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.RedisSettings.Encryption;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * The server that a client connects to. Describes a failure to connect in the same words whatever
 * the client. Immutable.
 *
 * @param address as it was written, without user and password
 * @param encryption whether by TLS
 * @param within how long connecting may take
 */
public record Destination(String address, Encryption encryption, Duration within) {

  private static final String CLIENT_CERTIFICATE =
      "set " + RedisSettings.TLS_CERTIFICATE.key() + ", if the server wants the client's";

  /** The address alone. */
  @Override
  public String toString() {
    return address;
  }

  /** "Could not connect to Redis at host:port". */
  public String what() {
    return "Could not connect to Redis at " + address;
  }

  /**
   * The exception for a failure to connect.
   *
   * @param typed the failure as an exception of ours, which has the kind
   * @param failure the client's
   */
  public LockStoreException unreached(LockStoreException typed, Throwable failure) {
    return new LockStoreException(typed.kind(), what() + ": " + reason(failure), failure);
  }

  private String reason(Throwable failure) {
    List<Throwable> all = new ArrayList<>();
    gather(failure, all);
    String words =
        all.stream().map(String::valueOf).collect(Collectors.joining(" ")).toLowerCase(Locale.ROOT);
    if (all.stream().anyMatch(UnknownHostException.class::isInstance)) {
      return "the host's name is not known";
    }
    if (words.contains("connection refused")) {
      return "connection refused";
    }
    if (words.contains("requires epoll")) { // Lettuce, with a Unix socket
      return said(failure, all)
          + " (it needs netty-transport-native-epoll, on macOS netty-transport-native-kqueue, with"
          + " the platform's classifier)";
    }
    if (RedisErrors.isNoSentinel(words)) {
      return "this server is not " + RedisErrors.SENTINEL_PORT;
    }
    if (words.contains("all sentinels down")) { // Jedis has no more to say
      return said(failure, all) + " (none answers as " + RedisErrors.SENTINEL_PORT + ")";
    }
    boolean late = words.contains("timeoutexception") || words.contains("timed out");
    boolean broken =
        Stream.of("reset", "closed", "end of stream", "broken pipe").anyMatch(words::contains);
    boolean noTls = words.contains("not an ssl/tls record") || words.contains("ssl message");
    String why = late ? "no answer within " + Setting.written(within) : said(failure, all);
    if (encryption == Encryption.TLS) {
      String orWantsOne = noTls ? "" : CLIENT_CERTIFICATE + "; "; // some clients hide its alert
      return late || noTls || broken
          ? why
              + " ("
              + orWantsOne
              + "rediss:// asks for TLS: write redis:// if this port has none)"
          : why + refusedCertificate(words);
    }
    return late || broken ? why + " (write rediss:// if this port is for TLS)" : why;
  }

  /** The setting that decides about the certificate that the JDK or the server has refused. */
  private static String refusedCertificate(String words) {
    if (words.contains("certificate_required") || words.contains("bad_certificate")) {
      return " (" + CLIENT_CERTIFICATE + ")";
    }
    if (words.contains("certification path") || words.contains("certpath")) {
      return " (" + RedisSettings.TLS_TRUST.key() + " names the certificates to trust)";
    }
    return words.contains("subject alternative") || words.contains("no name matching")
        ? " (the certificate is for another host; "
            + RedisSettings.TLS_VERIFY.key()
            + " sets what is checked)"
        : "";
  }

  private static void gather(Throwable failure, List<Throwable> all) {
    for (Throwable t = failure; t != null && !all.contains(t); t = t.getCause()) {
      all.add(t);
      for (Throwable suppressed : t.getSuppressed()) {
        gather(suppressed, all);
      }
    }
  }

  private static String said(Throwable failure, List<Throwable> all) {
    SSLException tls = Causes.find(failure, SSLException.class);
    return tls == null ? innermost(all) : Quoted.text(Causes.words(tls));
  }

  /** The innermost message that is not blank, without a list of nodes and addresses before it. */
  private static String innermost(List<Throwable> all) {
    for (int i = all.size() - 1; i >= 0; i--) {
      String message = all.get(i).getMessage();
      if (message != null && !message.isBlank()) {
        int node = message.lastIndexOf("]: ");
        return Quoted.text(message.substring(node < 0 ? 0 : node + 3).strip());
      }
    }
    return all.get(0).getClass().getSimpleName();
  }
}
