import { expect, test } from 'vitest'
import { setUp, until } from './test/setup.ts'

const world = setUp()
const name = '/tournaments/cup/overlays/9b2a7f64-1c0d-4e7e-8f0a-52d6c3b18e07/scene'
const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64')
const body = { generation: 1, update: base64(1), vector: base64(0), clientId: 5_000, readOnly: false, revision: 3 }

function held() {
  const told: unknown[] = []
  const scene = world.client().scene(name, {
    held: () => (told.length === 0 ? undefined : { generation: 1, vector: base64(7) }),
    onSnapshot: ({ generation, update }) => void told.push(['snapshot', generation, update]),
    onUpdate: (update) => void told.push(['update', update]),
  })
  scene.subscribe(() => {})
  return { scene, told }
}

test('what is done is sent one after another, and again after a break, until it is stored', async () => {
  const { scene, told } = held()
  const peer = await world.server.next()
  const asked = await peer.take('subscribe')
  expect(asked).toEqual({ type: 'subscribe', topic: name, id: expect.any(Number) })
  scene.update(base64(1))
  scene.update(base64(2))
  expect(scene.unsent).toHaveLength(2)
  peer.send({ type: 'snapshot', id: asked.id, topic: name, body })
  const first = await peer.take('update')
  expect(first).toMatchObject({ topic: name, data: base64(1), seq: 1 })
  peer.send({ type: 'update', topic: name, data: base64(9), revision: 4, by: null })
  await until(() => told.length === 2)
  expect(told).toEqual([
    ['snapshot', 1, base64(1)],
    ['update', base64(9)],
  ])
  expect(peer.count('update')).toBe(1)
  peer.send({ type: 'accepted', id: first.id, topic: name, seq: 1, revision: 5 })
  await peer.take('update')
  expect(scene.value).toMatchObject({ revision: 5, clientId: 5_000 })
  peer.cut()
  const next = await world.reconnected()
  const again = await next.take('subscribe')
  expect(again).toMatchObject({ topic: name, generation: 1, vector: base64(7) })
  next.send({ type: 'snapshot', id: again.id, topic: name, body })
  const second = await next.take('update')
  expect(second.data).toBe(base64(2))
  next.send({ type: 'error', id: second.id, status: 429, code: 'packets.limited', message: '', retryAfterMs: 1_000 })
  await next.settle()
  world.time.pass(1_000)
  const third = await next.take('update')
  expect(third.data).toBe(base64(2))
  next.send({ type: 'accepted', id: third.id, topic: name, seq: 3, revision: 6 })
  await until(() => scene.value?.revision === 6)
  expect(scene.unsent).toEqual([])
  expect(next.count('update')).toBe(2)
})

test('of what was done to a document that was made anew none is sent, nor by whoever only reads', async () => {
  const { scene, told } = held()
  const peer = await world.server.next()
  const asked = await peer.take('subscribe')
  peer.send({ type: 'snapshot', id: asked.id, topic: name, body })
  scene.update(base64(1))
  scene.update(base64(2))
  const sent = await peer.take('update')
  peer.send({ type: 'snapshot', topic: name, body: { ...body, generation: 2 } })
  await until(() => told.length === 2)
  peer.send({ type: 'accepted', id: sent.id, topic: name, seq: 1, revision: 5 })
  scene.update(base64(3))
  expect((await peer.take('update')).data).toBe(base64(3))
  peer.send({ type: 'snapshot', topic: name, body: { ...body, generation: 2, clientId: null, readOnly: true } })
  await until(() => scene.value?.readOnly === true)
  scene.update(base64(4))
  await peer.settle()
  expect(peer.count('update')).toBe(2)
  peer.send({ type: 'ended', topic: name, reason: 'forbidden' })
  await until(() => scene.status === 'ended')
})
