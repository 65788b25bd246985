/**
 * An in-memory model of a Redis server, for worlds whose clients run the production scripts: keys
 * that expire by the server's own clock, scripts in Lua 5.1, messages, runs and the loss of data.
 * Its replies are compared with real servers, command by command ({@link
 * dev.leasehold.simulation.SameAsRealTest}).
 */
package dev.leasehold.simulation;
