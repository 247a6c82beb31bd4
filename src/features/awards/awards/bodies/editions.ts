import { Type } from 'typebox'
import { exampleGuid, Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { maxAddressLength } from '../../../../core/web.ts'
import { maxDescriptionCharacters, maxTitleCharacters } from '../rules/settings.ts'
import { editionStatuses, linkRules, tieRules } from '../types.ts'

const Id = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'Letters, digits and hyphens, unlike that of any other edition in whatever case; not `nominees`.',
})
const Title = Type.String({ minLength: 1, maxLength: maxTitleCharacters })

const others = {
  description: Type.Optional(Type.String({ maxLength: maxDescriptionCharacters, description: 'Markdown.' })),
  bannerUrl: Type.Optional(
    nullable(
      Type.String({ maxLength: maxAddressLength }),
      'An address elsewhere, or of own media of the kind `award_image`; null for none.',
    ),
  ),
  publishAt: Type.Optional(nullable(Instant, 'Null: by hand.')),
}

const dates = {
  nominationsOpenAt: Instant,
  nominationsCloseAt: Instant,
  votingOpensAt: Instant,
  votingClosesAt: Instant,
}

const accountBefore = Type.String({
  format: 'date-time',
  description: 'Accounts from before then take part; `votingOpensAt` at the latest.',
})

const rules = {
  link: Type.Optional(
    oneOf(linkRules, { description: 'On which ranking platform voters need a verified account. Default: `either`.' }),
  ),
  linkBefore: Type.Optional(nullable(Instant, 'Links verified before then count; unset, it is `accountBefore`.')),
  minTournamentsPlayed: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
  selfNomination: Type.Optional(
    Type.Boolean({ description: 'Whether users may nominate what is theirs. Default: no.' }),
  ),
  nominationsPerCategory: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'Default: 3.' })),
  tie: Type.Optional(
    oneOf(tieRules, {
      description: 'What a tie at the first place comes to: all win, or a runoff. Default: `shared`.',
    }),
  ),
  showCounts: Type.Optional(Type.Boolean({ description: 'Whether results show numbers of votes. Default: yes.' })),
}

export const CreateBody = Type.Object(
  {
    id: Id,
    title: Title,
    ...dates,
    ...others,
    rules: Type.Object({ accountBefore, ...rules }),
  },
  {
    examples: [
      {
        id: '2099',
        title: 'Awards 2099',
        description: 'The best of **2099**, by everybody’s vote.',
        bannerUrl: null,
        nominationsOpenAt: '2099-10-01T18:00:00.000Z',
        nominationsCloseAt: '2099-10-31T18:00:00.000Z',
        votingOpensAt: '2099-11-15T18:00:00.000Z',
        votingClosesAt: '2099-11-30T18:00:00.000Z',
        publishAt: '2099-12-06T18:00:00.000Z',
        rules: { accountBefore: '2099-10-01T00:00:00.000Z', link: 'either', minTournamentsPlayed: 1, tie: 'runoff' },
      },
    ],
  },
)

export const UpdateBody = Type.Object(
  {
    expectedUpdatedAt: Type.String({ format: 'date-time', description: 'The `updatedAt` that the caller has seen.' }),
    ...Type.Partial(Type.Object({ id: Id, title: Title, ...dates })).properties,
    ...others,
    rules: Type.Optional(Type.Object({ accountBefore: Type.Optional(accountBefore), ...rules })),
  },
  {
    examples: [
      {
        expectedUpdatedAt: '2099-09-01T18:00:00.000Z',
        title: 'The awards of 2099',
        votingClosesAt: '2099-12-01T18:00:00.000Z',
        rules: { minTournamentsPlayed: 2 },
      },
    ],
  },
)

export const DeleteQuery = {
  expectedUpdatedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'The `updatedAt` that the caller has seen.' }),
  ),
}

export const StatusBody = Type.Object(
  {
    status: oneOf(editionStatuses),
    reason: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'Why; needed to cancel.',
        examples: ['There are too few nominations.'],
      }),
    ),
  },
  { examples: [{ status: 'nominating' }] },
)

export const OrderBody = Type.Object(
  { guids: Type.Array(Guid, { maxItems: 60, description: 'Of all categories of the edition, each once.' }) },
  { examples: [{ guids: [exampleGuid] }] },
)
