import { Type } from 'typebox'
import { command, tournamentPath } from '../../../core/operation.ts'
import { Guid, nullable, oneOf } from '../../../core/schema.ts'
import { organisers } from '../access/policy.ts'
import { announcementKinds } from '../tournaments/types.ts'
import { sendTest } from './commands.ts'
import { previewAnnouncements } from './queries/preview.ts'

const tested = command({
  name: 'announcements.test',
  method: 'POST',
  path: `${tournamentPath}/announcements/test`,
  scope: 'rest:write',
  allow: organisers,
  summary: 'What the chat would be told of each kind.',
  description:
    'Nothing is sent and nothing is stored, unless `send` asks for it. The messages are written as they would be sent, in the language of the tournament and with its teams and matches; where it has none yet, with placeholders. With `send` those of kinds that have a channel are sent there, marked as tests, and mention no one.',
  body: Type.Object(
    {
      kinds: Type.Optional(
        Type.Array(oneOf(announcementKinds), {
          maxItems: announcementKinds.length,
          description: 'All kinds unless given.',
        }),
      ),
      send: Type.Optional(Type.Boolean({ description: 'Whether they are sent; false unless given.' })),
    },
    { title: 'AnnouncementsToTest', examples: [{ kinds: ['match_called', 'match_finished'] }] },
  ),
  reply: {
    200: Type.Object(
      {
        announcements: Type.Array(
          Type.Object({
            kind: oneOf(announcementKinds),
            channel: nullable(
              Type.String({ examples: ['main'] }),
              '`main` or a label; null while the kind is off, or its channel has no webhook.',
            ),
            content: Type.String({
              description: 'The message in the Markdown of the chat platform, at most 2,000 characters.',
              examples: ['**A match has begun:**\n**Quavers** – **Crotchets** · Playoffs · final · best of 5'],
            }),
            mentionedRoles: Type.Array(Type.String({ examples: ['1184720934812345678'] })),
            delivery: nullable(Guid, 'Of the message, in `GET …/deliveries`; null where it was not sent.'),
          }),
        ),
      },
      { title: 'TestedAnnouncements' },
    ),
  },
  run: async ({ tx, tournament, body: { kinds = announcementKinds, send = false }, now }) => {
    const announcements = []
    for (const { test, ...preview } of await previewAnnouncements(tx, tournament.guid, kinds, now)) {
      const { kind, channel } = preview
      const isSent = send && channel !== null
      const delivery = isSent ? await sendTest(tx, { tournamentGuid: tournament.guid, kind, channel }, test, now) : null
      announcements.push({ ...preview, delivery })
    }
    return { announcements }
  },
})

export const announcementsOperations = [tested]
