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
 * Which requests are answered. Another page in the same browser can send requests to this machine,
 * and by a name of its own that resolves to it also read the answers: so the name in {@code Host}
 * must be known, and what changes something must come from this page and know the token.
 *
 * @param hosts the names by which browsers reach the page, in lower case, without ports: a proxy
 *     may have another one
 * @param token what a request that breaks a lock must know; null if none may
 */
record RequestGuard(Set<String> hosts, @Nullable String token) {
  static final String TOKEN_HEADER = "Leasehold-Token";

  private static final Pattern PORT = Pattern.compile(":\\d+$");

  /** From this page, or typed into the browser. */
  private static final Set<String> SITES = Set.of("same-origin", "none");

  /**
   * Why a request is refused, for people; empty if it is not.
   *
   * @param page whether it is for the page itself, to which others may link
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

  /** Why a request to break a lock is refused; empty if it is not. */
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

  /** Whether it is this page's: a proxy may speak TLS. */
  private static boolean isOf(@Nullable String host, @Nullable String origin) {
    return ("http://" + host).equalsIgnoreCase(origin)
        || ("https://" + host).equalsIgnoreCase(origin);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
