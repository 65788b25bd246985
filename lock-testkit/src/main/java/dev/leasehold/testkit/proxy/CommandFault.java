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
public sealed interface CommandFault {

  /** The request reaches the server later. */
  static CommandFault delayRequest(Duration by) {
    return new DelayRequest(by);
  }

  /** The server executes at once; its reply reaches the client later. */
  static CommandFault delayReply(Duration by) {
    return new DelayReply(by);
  }

  /** The request waits in the proxy until the fault is removed. */
  static CommandFault holdRequest() {
    return new HoldRequest();
  }

  /**
   * The client's connection is reset at once. The request waits in the proxy until the fault is
   * removed and reaches the server then: a packet that outlives its connection.
   */
  static CommandFault strayRequest() {
    return new StrayRequest();
  }

  /** The server executes at once; its reply waits in the proxy until the fault is removed. */
  static CommandFault holdReply() {
    return new HoldReply();
  }

  /**
   * The request is lost, as is everything the client sends later on this connection. Replies to
   * earlier requests still arrive.
   */
  static CommandFault dropRequest() {
    return new DropRequest();
  }

  /**
   * The server executes, but its reply is lost, as are all later replies on this connection. Later
   * requests are still executed.
   */
  static CommandFault dropReply() {
    return new DropReply();
  }

  /** The connection is closed on both sides and the request is not executed. */
  static CommandFault cutBefore() {
    return new CutBefore();
  }

  /** The server executes; then the connection is closed on both sides, without a reply. */
  static CommandFault cutAfter() {
    return new CutAfter();
  }

  /**
   * The server never sees the request; the client gets this error.
   *
   * @param error the error in a server's wording, such as {@code OOM command not allowed}
   */
  static CommandFault refuse(String error) {
    return new Refuse(line(error));
  }

  /**
   * The server executes; the client gets this error instead of the reply.
   *
   * @param error the error in a server's wording, such as {@code ERR internal}
   */
  static CommandFault fail(String error) {
    return new Fail(line(error));
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

  /** See {@link CommandFault#delayRequest}. */
  record DelayRequest(Duration by) implements CommandFault {
    /** Checks the delay. */
    public DelayRequest {
      notNegative(by);
    }
  }

  /** See {@link CommandFault#delayReply}. */
  record DelayReply(Duration by) implements CommandFault {
    /** Checks the delay. */
    public DelayReply {
      notNegative(by);
    }
  }

  /** See {@link CommandFault#holdRequest}. */
  record HoldRequest() implements CommandFault {}

  /** See {@link CommandFault#strayRequest}. */
  record StrayRequest() implements CommandFault {}

  /** See {@link CommandFault#holdReply}. */
  record HoldReply() implements CommandFault {}

  /** See {@link CommandFault#dropRequest}. */
  record DropRequest() implements CommandFault {}

  /** See {@link CommandFault#dropReply}. */
  record DropReply() implements CommandFault {}

  /** See {@link CommandFault#cutBefore}. */
  record CutBefore() implements CommandFault {}

  /** See {@link CommandFault#cutAfter}. */
  record CutAfter() implements CommandFault {}

  /** See {@link CommandFault#refuse}. */
  record Refuse(String error) implements CommandFault {}

  /** See {@link CommandFault#fail}. */
  record Fail(String error) implements CommandFault {}
}
