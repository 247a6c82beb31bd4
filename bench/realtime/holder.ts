import { loopback, openLight, openMany } from './sockets.ts'

/**
 * Holds sockets that follow a topic each, in a process of its own: what many sockets cost their client is not to be seen in
 * what another measures.
 *
 *     node holder.ts PORT COUNT TOPIC     tells `open`, and ends with its input
 */

const [, , port, count, topic] = process.argv

await openMany(Number(count), async (index) => {
  const socket = await openLight({ port: Number(port), from: loopback(index), onMessage: () => {} })
  socket.send({ type: 'subscribe', topic })
  return socket
})
console.log('open')
process.stdin.resume().on('end', () => process.exit(0))
