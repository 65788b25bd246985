package dev.leasehold.simulation;

/** A status reply, such as {@code OK}, as opposed to data. */
public record Status(String word) {
  static final Status OK = new Status("OK");
}
