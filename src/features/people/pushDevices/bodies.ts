import { Type } from 'typebox'
import { nullable } from '../../../core/schema.ts'
import { maxAddressLength } from '../../../core/web.ts'
import { maxDeviceName } from './rules/devices.ts'
import { type PushKind, pushKinds, pushKindWords } from './types.ts'

const TimeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: ['22:00'] })

export const QuietHoursSchema = Type.Object(
  {
    from: TimeOfDay,
    to: TimeOfDay,
    timezone: Type.String({ maxLength: 64, description: 'IANA name.', examples: ['Europe/Berlin'] }),
  },
  { title: 'QuietHours', description: 'Local times; hours that end before they begin go over midnight.' },
)

const switchOf = (kind: PushKind) => Type.Boolean({ description: pushKindWords[kind] })

/** A switch for each kind. */
export const KindSwitches = Type.Object(
  Object.fromEntries(pushKinds.map((kind) => [kind, switchOf(kind)])) as Record<PushKind, ReturnType<typeof switchOf>>,
)

export const PushDeviceBody = Type.Object(
  {
    endpoint: Type.String({ maxLength: maxAddressLength, description: 'Of the browser’s subscription; https.' }),
    keys: Type.Object(
      { p256dh: Type.String({ maxLength: 100 }), auth: Type.String({ maxLength: 100 }) },
      { description: 'Of the browser’s subscription, as base64url.' },
    ),
    name: Type.Optional(nullable(Type.String({ maxLength: maxDeviceName }), 'For its user to tell it by.')),
    kinds: Type.Optional(
      Type.Partial(KindSwitches, {
        description: 'Switches kinds on and off. Those that are not named stay as they are; on a new device, on.',
      }),
    ),
    quietHours: Type.Optional(
      nullable(QuietHoursSchema, 'When the device is told of nothing. null ends them; left out, they stay.'),
    ),
  },
  {
    examples: [
      {
        endpoint: 'https://push.example.org/send/dQw4w9WgXcQ',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
        name: 'Phone',
        kinds: { sheet_closing: false },
        quietHours: { from: '22:00', to: '08:00', timezone: 'Europe/Berlin' },
      },
    ],
  },
)
