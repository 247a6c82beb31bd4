import { type Static, Type } from 'typebox'
import { RenderedDescription } from '../../../../core/rendered.ts'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { linkBeforeOf } from '../rules/nominating.ts'
import {
  type Category,
  type Edition,
  editionStatuses,
  linkRules,
  type Nominee,
  nomineeTypes,
  tieRules,
} from '../types.ts'
import { type NomineeFacts, NomineeView, nomineeView } from './nominee.ts'

const members = {
  guid: Guid,
  id: Type.String({ description: 'Of its address.', examples: ['2026'] }),
  title: Type.String({ examples: ['Awards 2026'] }),
  bannerUrl: nullable(Type.String({ examples: ['https://cdn.example.org/awards.png'] })),
  status: oneOf(editionStatuses),
  nominationsOpenAt: Instant,
  nominationsCloseAt: Instant,
  votingOpensAt: Instant,
  votingClosesAt: Instant,
  publishAt: nullable(Instant, 'Null: by hand.'),
  publishedAt: nullable(Instant),
}

/** An edition in lists. */
export const ListedEdition = Type.Object(members, {
  title: 'ListedAwards',
  description: 'An edition of awards. Its status alone says what is possible: dates may be overridden by hand.',
})

export function listedEdition(edition: Edition): Static<typeof ListedEdition> {
  const { guid, id, title, bannerUrl, status } = edition
  return {
    guid,
    id,
    title,
    bannerUrl,
    status,
    nominationsOpenAt: formatInstant(edition.nominationsOpenAt),
    nominationsCloseAt: formatInstant(edition.nominationsCloseAt),
    votingOpensAt: formatInstant(edition.votingOpensAt),
    votingClosesAt: formatInstant(edition.votingClosesAt),
    publishAt: formatInstant(edition.publishAt),
    publishedAt: formatInstant(edition.publishedAt),
  }
}

export const CategoryView = Type.Object(
  {
    guid: Guid,
    editionGuid: Guid,
    name: Type.String({ examples: ['Player of the year'] }),
    description: Type.String({ description: 'Markdown.' }),
    html: Type.Optional(RenderedDescription),
    order: Type.Integer(),
    nomineeType: oneOf(nomineeTypes),
    shortlistSize: Type.Integer({ examples: [10] }),
    badgeGuid: nullable(Guid, 'Given to winners who are users, and to the members of winning teams.'),
    nominees: nullable(
      Type.Array(NomineeView),
      'From voting on, in an order of each reader’s own; null before, but for those who manage awards.',
    ),
    runoff: nullable(
      Type.Array(Guid),
      'The nominees who were tied at the first place, once a runoff is held among them.',
    ),
  },
  { title: 'AwardCategory' },
)
type CategoryView = Static<typeof CategoryView>

/** @param nominees in the order for the reader; null if the reader may not see them */
export function categoryView(
  category: Category,
  nominees: readonly Nominee[] | null,
  facts: NomineeFacts,
): CategoryView {
  const { guid, editionGuid, name, description, order, nomineeType, shortlistSize, badgeGuid, runoffNominees } =
    category
  return {
    guid,
    editionGuid,
    name,
    description,
    order,
    nomineeType,
    shortlistSize,
    badgeGuid,
    nominees: nominees?.map((nominee) => nomineeView(nominee, facts)) ?? null,
    runoff: runoffNominees === null ? null : [...runoffNominees],
  }
}

const RulesView = Type.Object(
  {
    accountBefore: Instant,
    link: oneOf(linkRules),
    linkBefore: Instant,
    minTournamentsPlayed: Type.Integer(),
    selfNomination: Type.Boolean(),
    nominationsPerCategory: Type.Integer(),
    tie: oneOf(tieRules),
    showCounts: Type.Boolean(),
  },
  { title: 'AwardRules' },
)

export const EditionView = Type.Object(
  {
    ...members,
    description: Type.String({ description: 'Markdown.' }),
    html: Type.Optional(RenderedDescription),
    rules: RulesView,
    runoff: nullable(
      Type.Object({ categories: Type.Array(Guid), closesAt: nullable(Instant) }, { title: 'AwardRunoff' }),
      'While tied nominees are voted for once more: in which categories, and until when.',
    ),
    cancelReason: nullable(Type.String(), 'Null while it was not cancelled.'),
    votesDeletedAt: nullable(Instant, 'When the sealed votes were deleted.'),
    categories: Type.Array(CategoryView, { description: 'In their order.' }),
    voted: nullable(
      Type.Array(Guid),
      'Categories in which the caller’s vote stands or, after voting, in which they have voted; null without a token.',
    ),
    revision: Type.Integer(),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Awards' },
)
export type EditionView = Static<typeof EditionView>

export function editionView(
  edition: Edition,
  categories: readonly CategoryView[],
  voted: readonly string[] | null,
): EditionView {
  const { description, rules, runoffCategories, cancelReason, revision } = edition
  return {
    ...listedEdition(edition),
    description,
    cancelReason,
    revision,
    rules: { ...rules, linkBefore: linkBeforeOf(rules) },
    runoff:
      runoffCategories === null
        ? null
        : { categories: [...runoffCategories], closesAt: formatInstant(edition.runoffClosesAt) },
    votesDeletedAt: formatInstant(edition.votesDeletedAt),
    categories: [...categories],
    voted: voted === null ? null : [...voted],
    createdAt: formatInstant(edition.createdAt),
    updatedAt: formatInstant(edition.updatedAt),
  }
}
