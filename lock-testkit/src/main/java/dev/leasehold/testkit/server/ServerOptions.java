package dev.leasehold.testkit.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * How a server is started. Immutable: each {@code with} method returns a copy. The defaults are a
 * free port, no persistence and no password.
 *
 * <p>A server that the kit did not start (a URL) takes no options: see {@link
 * RedisServer.Capability#OPTIONS}.
 */
public final class ServerOptions {
  /** How long a server may take to start. */
  static final Duration START_TIMEOUT = Duration.ofSeconds(30);

  private static final ServerOptions DEFAULTS = new ServerOptions(List.of());

  private final List<Consumer<Draft>> changes;

  /** Not changed after the constructor. */
  private final Draft state = new Draft();

  private ServerOptions(List<Consumer<Draft>> changes) {
    this.changes = changes;
    changes.forEach(change -> change.accept(state));
  }

  /** No persistence, no password. */
  public static ServerOptions defaults() {
    return DEFAULTS;
  }

  /** Adds arguments: {@code with("--maxmemory", "10mb")}. */
  public ServerOptions with(String... more) {
    List<String> copied = List.of(more);
    return copied.isEmpty() ? this : changed(draft -> draft.arguments.addAll(copied));
  }

  /** Sets a port from 1 to 65535 instead of a free one. */
  public ServerOptions withPort(int value) {
    if (value < 1 || value > 65_535) {
      throw new IllegalArgumentException("port is " + value + "; it must be from 1 to 65535");
    }
    return changed(draft -> draft.port = OptionalInt.of(value));
  }

  /**
   * Adds an append-only file, synced each second, as needed by {@link RedisServer.Data#KEEP}. A
   * killed process loses nothing; only a power failure could lose the last second.
   */
  public ServerOptions withAppendOnlyFile() {
    return changed(draft -> draft.appendOnly = true);
  }

  /** Sets the default user's password. */
  public ServerOptions withPassword(String value) {
    return changed(draft -> draft.password = Optional.of(value));
  }

  /**
   * Adds a user with the given permissions only: {@code withUser("app", "secret", "~lh:*", "&lh:*",
   * "+@all")}.
   *
   * @param rules the user's permissions, in the syntax of ACL SETUSER
   */
  public ServerOptions withUser(String name, String userPassword, String... rules) {
    return with("--user", name, "on", ">" + userPassword, "resetchannels").with(rules);
  }

  /** Enables TLS and disables plain text; clients need no certificate. Needs {@code TLS}. */
  public ServerOptions withTls(TlsFiles files) {
    return changed(
        draft -> {
          draft.tls = Optional.of(files);
          draft.clientCertificates = false;
        });
  }

  /**
   * As {@link #withTls}, but clients need a certificate too: the server's own, which is the only
   * authority here.
   */
  public ServerOptions withMutualTls(TlsFiles files) {
    return withTls(files).changed(draft -> draft.clientCertificates = true);
  }

  /** Adds a Unix socket next to the port. Needs {@code UNIX_SOCKET}. */
  public ServerOptions withUnixSocket() {
    return changed(draft -> draft.unixSocket = true);
  }

  /** Sets a wall clock that a test can change. {@code CLOCK} says whether the server follows it. */
  public ServerOptions withClock(ClockShim shim) {
    return changed(draft -> draft.clock = Optional.of(shim));
  }

  /** Adds a line to the configuration file, for settings that are not arguments, as Sentinel's. */
  ServerOptions withLine(String line) {
    return changed(draft -> draft.lines.add(line));
  }

  ServerOptions withRole(ServerRole value) {
    return changed(draft -> draft.role = value);
  }

  /** The port to listen on; empty for a free one. */
  public OptionalInt port() {
    return state.port;
  }

  /** Further arguments of the server. */
  public List<String> arguments() {
    return List.copyOf(state.arguments);
  }

  /** The server's environment variables: the clock's. */
  public Map<String, String> environment() {
    return state.clock.map(ClockShim::environment).orElse(Map.of());
  }

  /** The default user's password. */
  public Optional<String> password() {
    return state.password;
  }

  /** The certificate; if present, the server accepts TLS connections only. */
  public Optional<TlsFiles> tls() {
    return state.tls;
  }

  /** Whether clients must present a certificate. */
  public boolean wantsCertificates() {
    return state.clientCertificates;
  }

  /** The clock that the server reads. */
  public Optional<ClockShim> clock() {
    return state.clock;
  }

  /** Whether the server persists its data. */
  public boolean hasAppendOnlyFile() {
    return state.appendOnly;
  }

  /** Whether the server also listens on a Unix socket. */
  public boolean hasUnixSocket() {
    return state.unixSocket;
  }

  List<String> lines() {
    return List.copyOf(state.lines);
  }

  ServerRole role() {
    return state.role;
  }

  /** Whether nothing is set that requires starting a server. */
  boolean isDefault() {
    return changes.isEmpty();
  }

  private ServerOptions changed(Consumer<Draft> change) {
    return new ServerOptions(Stream.concat(changes.stream(), Stream.of(change)).toList());
  }

  /** The mutable fields of options under construction. */
  private static final class Draft {
    OptionalInt port = OptionalInt.empty();
    final List<String> arguments = new ArrayList<>();
    final List<String> lines = new ArrayList<>();
    Optional<String> password = Optional.empty();
    Optional<TlsFiles> tls = Optional.empty();
    Optional<ClockShim> clock = Optional.empty();
    boolean clientCertificates;
    boolean appendOnly;
    boolean unixSocket;
    ServerRole role = ServerRole.SINGLE;
  }
}
