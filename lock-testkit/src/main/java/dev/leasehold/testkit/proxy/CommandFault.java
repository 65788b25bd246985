package dev.leasehold.testkit.proxy;

import java.time.Duration;

/**
 * What happens to a command. Commands are never reordered: whatever follows on the same connection
 * waits behind a delay.
 *
 * <p>A lost request or reply silences its connection from there on, as a broken network does: a
 * stream that continued after a gap would match later replies with the wrong requests. The
 * connection is cut when the fault is removed, or when the client gives it up.
 */
public final class CommandFault {
  /** What happens, in the words of the methods below. */
  enum Kind {
    DELAY_REQUEST,
    DELAY_REPLY,
    HOLD_REQUEST,
    STRAY_REQUEST,
    HOLD_REPLY,
    DROP_REQUEST,
    DROP_REPLY,
    CUT_BEFORE,
    CUT_AFTER,
    REFUSE,
    FAIL
  }

  final Kind kind;
  final Duration delay;
  final String error;

  private CommandFault(Kind kind, Duration delay, String error) {
    this.kind = kind;
    this.delay = delay;
    this.error = error;
  }

  /** The request reaches the server later. */
  public static CommandFault delayRequest(Duration by) {
    return new CommandFault(Kind.DELAY_REQUEST, notNegative(by), "");
  }

  /** The server executes at once; its reply reaches the client later. */
  public static CommandFault delayReply(Duration by) {
    return new CommandFault(Kind.DELAY_REPLY, notNegative(by), "");
  }

  /** The request waits in the proxy until the fault is removed. */
  public static CommandFault holdRequest() {
    return new CommandFault(Kind.HOLD_REQUEST, Duration.ZERO, "");
  }

  /**
   * The client's connection is reset at once. The request waits in the proxy until the fault is
   * removed and reaches the server then: a packet that outlives its connection.
   */
  public static CommandFault strayRequest() {
    return new CommandFault(Kind.STRAY_REQUEST, Duration.ZERO, "");
  }

  /** The server executes at once; its reply waits in the proxy until the fault is removed. */
  public static CommandFault holdReply() {
    return new CommandFault(Kind.HOLD_REPLY, Duration.ZERO, "");
  }

  /**
   * The request is lost, as is everything the client sends later on this connection. Replies to
   * earlier requests still arrive.
   */
  public static CommandFault dropRequest() {
    return new CommandFault(Kind.DROP_REQUEST, Duration.ZERO, "");
  }

  /**
   * The server executes, but its reply is lost, as are all later replies on this connection. Later
   * requests are still executed.
   */
  public static CommandFault dropReply() {
    return new CommandFault(Kind.DROP_REPLY, Duration.ZERO, "");
  }

  /** The connection is closed on both sides and the request is not executed. */
  public static CommandFault cutBefore() {
    return new CommandFault(Kind.CUT_BEFORE, Duration.ZERO, "");
  }

  /** The server executes; then the connection is closed on both sides, without a reply. */
  public static CommandFault cutAfter() {
    return new CommandFault(Kind.CUT_AFTER, Duration.ZERO, "");
  }

  /**
   * The server never sees the request; the client gets this error.
   *
   * @param error the error in a server's wording, such as {@code OOM command not allowed}
   */
  public static CommandFault refuse(String error) {
    return new CommandFault(Kind.REFUSE, Duration.ZERO, line(error));
  }

  /**
   * The server executes; the client gets this error instead of the reply.
   *
   * @param error the error in a server's wording, such as {@code ERR internal}
   */
  public static CommandFault fail(String error) {
    return new CommandFault(Kind.FAIL, Duration.ZERO, line(error));
  }

  private static String line(String error) {
    if (error.isBlank() || error.contains("\r") || error.contains("\n")) {
      throw new IllegalArgumentException("an error is one line of text, not \"" + error + "\"");
    }
    return error.startsWith("-") ? error.substring(1) : error;
  }

  private static Duration notNegative(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("the delay is " + by + "; it must not be negative");
    }
    return by;
  }
}
