/**
 * A server of Redis in memory, for worlds whose clients run the scripts that ship: keys that expire
 * by the server's own clock, scripts in Lua 5.1, messages, runs and the loss of data. What it
 * answers is held against real servers, command by command ({@link
 * dev.leasehold.simulation.SameAsRealTest}).
 */
package dev.leasehold.simulation;
