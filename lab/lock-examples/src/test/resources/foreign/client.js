// A lock client of another language, told what to do line by line.
//
// node client.js LIBRARY PORTS      LIBRARY: redlock or redis-semaphore; several ports are a quorum
//
//   acquire KEY TTL       one attempt; answers "held" or "refused"
//   extend TTL            answers "extended" or an error
//   release               answers "released" or an error
//   count KEY N COUNTER   N times: take the lock, wait as long as it takes, and add 1 to COUNTER in
//                         two steps, which only the lock keeps together; answers "counted"
const readline = require('readline');
const Redis = require('ioredis');
const Redlock = require('redlock');
const { Mutex, RedlockMutex } = require('redis-semaphore');

const [library, ports] = process.argv.slice(2);
const nodes = ports.split(',').map((port) => new Redis({ port: Number(port), host: '127.0.0.1' }));
const redis = nodes[0];

const libraries = {
  redlock(key, ttl, patient) {
    const locks = new Redlock(nodes, {
      retryCount: patient ? -1 : 0,
      retryDelay: 5,
      retryJitter: 5,
    });
    let lock;
    return {
      acquire: async () => { lock = await locks.lock(key, ttl); },
      extend: async (more) => { lock = await lock.extend(more); },
      release: () => lock.unlock(),
      isRefusal: (e) => e.name === 'LockError',
    };
  },
  'redis-semaphore'(key, ttl, patient) {
    // It puts "mutex:" before the key of its own accord.
    const name = key.replace(/^mutex:/, '');
    const options = {
      lockTimeout: ttl,
      acquireTimeout: patient ? 60000 : 1000,
      acquireAttemptsLimit: patient ? Number.POSITIVE_INFINITY : 1,
      retryInterval: 5,
      refreshInterval: 0,
    };
    const mutex =
      nodes.length > 1 ? new RedlockMutex(nodes, name, options) : new Mutex(redis, name, options);
    return {
      acquire: () => mutex.acquire(),
      extend: async () => { if (!(await mutex._refresh())) throw new Error('not held'); },
      release: () => mutex.release(),
      isRefusal: (e) => e.name === 'TimeoutError' || /timeout|attempts/i.test(e.message),
    };
  },
};

let held;

async function run(words) {
  switch (words[0]) {
    case 'acquire':
      held = libraries[library](words[1], Number(words[2]), false);
      try {
        await held.acquire();
        return 'held';
      } catch (e) {
        if (held.isRefusal(e)) return 'refused';
        throw e;
      }
    case 'extend':
      await held.extend(Number(words[1]));
      return 'extended';
    case 'release':
      await held.release();
      return 'released';
    case 'count':
      for (let i = 0; i < Number(words[2]); i++) {
        const lock = libraries[library](words[1], 10000, true);
        await lock.acquire();
        const n = Number(await redis.get(words[3]));
        await redis.set(words[3], n + 1);
        await lock.release();
      }
      return 'counted';
    default:
      throw new Error('no such order: ' + words[0]);
  }
}

const orders = readline.createInterface({ input: process.stdin });
(async () => {
  for await (const line of orders) {
    try {
      console.log(await run(line.split(' ')));
    } catch (e) {
      console.log('error ' + e.name + ': ' + e.message);
    }
  }
  redis.disconnect();
})();
