import { type Static, Type } from 'typebox'
import { exampleUser, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { maxEditors, maxLabelLength, maxNameLength } from './rules.ts'
import { overlayAccess } from './types.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: maxNameLength,
  description: 'No other overlay of the tournament has it, in capital letters or not.',
  examples: ['Main stage'],
})

/** Members of the body next to a package. */
const createMembers = {
  name: Name,
  template: Type.Optional(
    nullable(
      Type.String({ minLength: 1, maxLength: 64, examples: ['duel'] }),
      'What its scenes begin as: the key of a built-in template (`teams` is the one for as many players as a team plays with in the tournament), the GUID of one of your own, or the GUID of an overlay, of any tournament, that you may edit, whose draft is copied. One empty scene unless given.',
    ),
  ),
  rightsConfirmed: Type.Optional(
    Type.Boolean({
      description:
        'Videos and fonts of a package that are new here need it: that you may use them, and have others see them here.',
    }),
  ),
}

export const CreateOverlayBody = Type.Object(createMembers)
export type CreateOverlayBody = Static<typeof CreateOverlayBody>

export const CreateOverlayFile = Type.Object(
  {
    ...createMembers,
    package: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        description: 'In place of a template: what `GET …/overlays/{overlay}/package` answers.',
      }),
    ),
  },
  { examples: [{ name: 'Main stage', template: 'duel' }] },
)

export const ChangeOverlayBody = Type.Object(
  {
    name: Type.Optional(Name),
    access: Type.Optional(
      oneOf(overlayAccess, {
        description:
          'Who may read what its page needs: `token`, whoever has one of its view tokens, or `public`, everybody who sees the tournament.',
      }),
    ),
    editors: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64, examples: [exampleUser] }), {
        maxItems: maxEditors * 2,
        description: `Users, each by any identifier, who may change its scenes beside those whose role in the tournament lets them; all of them, at most ${maxEditors}. Who is named twice is one of them once.`,
      }),
    ),
  },
  { examples: [{ name: 'Second stage', access: 'public', editors: [exampleUser] }] },
)
export type ChangeOverlayBody = Static<typeof ChangeOverlayBody>

export const CreateTokenBody = Type.Object(
  {
    label: Type.String({
      minLength: 1,
      maxLength: maxLabelLength,
      description: 'For those who manage the overlay, to tell its tokens apart.',
      examples: ['Caster’s machine'],
    }),
    expiresAt: Type.Optional(nullable(Instant, 'When it ceases to be good; never unless given.')),
    preview: Type.Optional(
      Type.Boolean({ description: 'Whether it also shows what is about to be taken on air; not unless given.' }),
    ),
  },
  { examples: [{ label: 'Caster’s machine', expiresAt: '2099-05-03T00:00:00.000Z' }] },
)
export type CreateTokenBody = Static<typeof CreateTokenBody>
