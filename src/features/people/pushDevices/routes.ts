import { Type } from 'typebox'
import { firstParty, signedIn } from '../../../core/actor.ts'
import { Answer, command, query } from '../../../core/operation.ts'
import { nullable } from '../../../core/schema.ts'
import { PushDeviceBody } from './bodies.ts'
import { removeDevice, saveDevice } from './commands/devices.ts'
import { pushDevicesTag } from './events.ts'
import { maxDevices } from './rules/devices.ts'
import { listDevices } from './store/devices.ts'
import { PushDeviceView, pushDeviceView } from './views.ts'

const list = query({
  name: 'pushDevices.list',
  method: 'GET',
  path: '/users/@me/pushDevices',
  scope: 'rest:user:read',
  allow: signedIn,
  summary: 'The devices on which the signed-in user is told of what concerns them, the oldest first.',
  description:
    'With the key that a browser needs to subscribe (Push API, `applicationServerKey`). Endpoints and keys of devices are secret and not in the answer.',
  reply: {
    200: Type.Object(
      {
        applicationServerKey: Type.String({
          description: 'Public key of P-256 as base64url; it stays the same.',
          examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
        }),
        devices: Type.Array(PushDeviceView),
      },
      { title: 'PushDevices' },
    ),
  },
  run: async ({ db, actor, services, depends }) => {
    depends(pushDevicesTag(actor.guid))
    const devices = await listDevices(db, actor.guid)
    return { applicationServerKey: services.keys.vapid.publicKey, devices: devices.map(pushDeviceView) }
  },
})

const save = command({
  name: 'pushDevices.save',
  method: 'POST',
  path: '/users/@me/pushDevices',
  scope: 'rest:user:write',
  allow: firstParty,
  summary: 'Tell the signed-in user on a device of what concerns them, or change how.',
  description: `With the subscription of a browser (Push API). The same endpoint again changes the device. A user may have ${maxDevices}; one that its push service no longer knows is removed. Messages are encrypted for the browser, in at most 1 KB: \`kind\`, \`title\`, \`body\` (names), \`tag\` and \`data\` (GUIDs) as JSON, without texts of users. A subscription whose browser another user has signed in with before moves to this one.`,
  body: PushDeviceBody,
  reply: { 200: PushDeviceView, 201: PushDeviceView },
  problems: {
    'user.unknown': 404,
    'push_device.invalid': 400,
    'push_device.limit_reached': 409,
    'push_device.endpoint_taken': 409,
  },
  run: async ({ tx, actor, body, services: { config }, now }) => {
    const { device, isNew } = await saveDevice(tx, actor, body, { allowPrivate: config.webhookAllowPrivate, now })
    return new Answer(isNew ? 201 : 200, { body: pushDeviceView(device) })
  },
})

const remove = command({
  name: 'pushDevices.remove',
  method: 'DELETE',
  path: '/users/@me/pushDevices/:pushDevice',
  scope: 'rest:user:write',
  allow: signedIn,
  summary: 'Tell the signed-in user nothing more on a device.',
  description: 'What waits to be sent there is dropped.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'push_device.unknown': 404 },
  run: async ({ tx, actor, pushDevice }) => {
    await removeDevice(tx, actor, pushDevice)
    return new Answer(204)
  },
})

export const pushDevicesOperations = [list, save, remove]
