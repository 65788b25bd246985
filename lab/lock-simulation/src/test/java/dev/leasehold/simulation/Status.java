package dev.leasehold.simulation;

/** A reply that is a word and not data, such as {@code OK}. */
public record Status(String word) {
  static final Status OK = new Status("OK");
}
