package dev.leasehold.cli.console;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests are answered. Another page in the same browser can send requests to this
 * machine and, by a host name of its own that resolves to it, also read the answers. So the name in
 * {@code Host} must be known, and a request that changes something must come from this page and
 * contain the token.
 *
 * @param hosts the host names by which browsers reach the page, in lower case, without ports, which
 *     a proxy may change
 * @param token the token that a request must contain to break a lock; null if breaking is disabled
 */
record RequestGuard(Set<String> hosts, @Nullable String token) {
  static final String TOKEN_HEADER = "Leasehold-Token";

  private static final Pattern PORT = Pattern.compile(":\\d+$");

  /** Sent by this page, or typed into the browser. */
  private static final Set<String> SITES = Set.of("same-origin", "none");

  /**
   * Returns why a request is refused, as text for people; empty if it is allowed.
   *
   * @param page whether it requests the page itself, to which other sites may link
   */
  Optional<String> refusal(Headers request, boolean page) {
    String host = request.getFirst("Host");
    if (host == null
        || !hosts.contains(PORT.matcher(host).replaceFirst("").toLowerCase(Locale.ROOT))) {
      return Optional.of("This host is not known here: start the console with --host to allow it.");
    }
    String site = request.getFirst("Sec-Fetch-Site");
    return page || site == null || SITES.contains(site)
        ? Optional.empty()
        : Optional.of("Only this page may ask for this.");
  }

  /** Returns why a request to break a lock is refused; empty if it is allowed. */
  Optional<String> breakRefusal(Headers request) {
    String expected = token;
    if (expected == null) {
      return Optional.of("Read only: start the console with --allow-break to break locks.");
    }
    String origin = request.getFirst("Origin");
    String site = request.getFirst("Sec-Fetch-Site");
    String json = request.getFirst("Content-Type");
    if (!isOf(request.getFirst("Host"), origin)
        || (site != null && !site.equals("same-origin"))
        || json == null
        || !json.startsWith("application/json")) {
      return Optional.of("Only this page may send this.");
    }
    String given = request.getFirst(TOKEN_HEADER);
    return given != null && MessageDigest.isEqual(bytes(given), bytes(expected))
        ? Optional.empty()
        : Optional.of("The token is not the one that the console printed at its start.");
  }

  /** Returns whether an origin is this page's, over HTTP or, behind a proxy, HTTPS. */
  private static boolean isOf(@Nullable String host, @Nullable String origin) {
    return ("http://" + host).equalsIgnoreCase(origin)
        || ("https://" + host).equalsIgnoreCase(origin);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
