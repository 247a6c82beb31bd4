import { Type } from 'typebox'
import { command, tournamentPath } from '../../../core/operation.ts'
import { nullable, oneOf } from '../../../core/schema.ts'
import { organisers } from '../access/policy.ts'
import { announcementKinds } from '../tournaments/types.ts'
import { previewAnnouncements } from './queries/preview.ts'

const test = command({
  name: 'announcements.test',
  method: 'POST',
  path: `${tournamentPath}/announcements/test`,
  scope: 'rest:write',
  allow: organisers,
  summary: 'What the chat would be told of each kind.',
  description:
    'Nothing is sent and nothing is stored. The messages are written as they would be sent, in the language of the tournament and with its teams and matches; where it has none yet, with placeholders.',
  body: Type.Object(
    {
      kinds: Type.Optional(
        Type.Array(oneOf(announcementKinds), {
          maxItems: announcementKinds.length,
          description: 'All kinds unless given.',
        }),
      ),
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
          }),
        ),
      },
      { title: 'TestedAnnouncements' },
    ),
  },
  run: async ({ tx, tournament, body: { kinds = announcementKinds }, now }) => ({
    announcements: await previewAnnouncements(tx, tournament.guid, kinds, now),
  }),
})

export const announcementsOperations = [test]
