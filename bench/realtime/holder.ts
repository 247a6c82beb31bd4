import { loopback, openLight, openMany } from './sockets.ts'

/**
 * Holds sockets that each follow a topic, in a process of its own, so that the cost of the clients does not affect the
 * measurement.
 *
 *     node holder.ts PORT COUNT TOPIC     prints `open`, and ends with its input
 */

const [, , port, count, topic] = process.argv

await openMany(Number(count), async (index) => {
  const socket = await openLight({ port: Number(port), from: loopback(index), onMessage: () => {} })
  socket.send({ type: 'subscribe', topic })
  return socket
})
console.log('open')
process.stdin.resume().on('end', () => process.exit(0))
