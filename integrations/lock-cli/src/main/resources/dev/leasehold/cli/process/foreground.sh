# Run with job control (sh -m): the command has a process group of its own, and the terminal. The first argument is the script
# by which it registers. It is started in the background, so that it has registered whatever it does, and then brought forward.
front() {
  fg %1 >/dev/null 2>&1
  status=$?
  if kill -0 "$command" 2>/dev/null; then # it was only suspended
    front
  fi
}
registered=$1
shift
/bin/sh -c "$registered" "$0" "$@" &
command=$!
front
exit "$status"
