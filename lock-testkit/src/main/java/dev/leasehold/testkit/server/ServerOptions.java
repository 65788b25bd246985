package dev.leasehold.testkit.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

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

  private static final ServerOptions DEFAULTS = new ServerOptions(new Draft());

  /** Not changed once these options are made of it. */
  private final Draft state;

  private ServerOptions(Draft state) {
    this.state = state;
  }

  /** No persistence, no password. */
  public static ServerOptions defaults() {
    return DEFAULTS;
  }

  /** Adds arguments: {@code with("--maxmemory", "10mb")}. */
  public ServerOptions with(String... more) {
    return changed(draft -> draft.arguments.addAll(List.of(more)));
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
    return state.port.isEmpty()
        && state.arguments.isEmpty()
        && state.lines.isEmpty()
        && state.password.isEmpty()
        && state.tls.isEmpty()
        && state.clock.isEmpty()
        && !state.appendOnly
        && !state.unixSocket
        && state.role == ServerRole.SINGLE;
  }

  private ServerOptions changed(Consumer<Draft> change) {
    Draft draft = new Draft(state);
    change.accept(draft);
    return new ServerOptions(draft);
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

    Draft() {}

    Draft(Draft from) {
      port = from.port;
      arguments.addAll(from.arguments);
      lines.addAll(from.lines);
      password = from.password;
      tls = from.tls;
      clock = from.clock;
      clientCertificates = from.clientCertificates;
      appendOnly = from.appendOnly;
      unixSocket = from.unixSocket;
      role = from.role;
    }
  }
}
