import { type Event, type EventTable, everyMember, type MembersOf } from '../../../core/events.ts'
import type { Category, Edition, EditionStatus, Nominee } from './types.ts'

/** The tag of every change to the list of editions. */
export const awardsTag = 'awards'

type OfEdition = MembersOf<
  Edition,
  | 'id'
  | 'title'
  | 'description'
  | 'bannerUrl'
  | 'nominationsOpenAt'
  | 'nominationsCloseAt'
  | 'votingOpensAt'
  | 'votingClosesAt'
  | 'publishAt'
  | 'rules'
>
type OfCategory = MembersOf<Category, 'name' | 'description' | 'nomineeType' | 'shortlistSize' | 'badgeGuid'>
type OfNominee = MembersOf<Nominee, 'label' | 'imageUrl' | 'link' | 'description' | 'targetGuid'>
type Changed<Members> = { before: Members; after: Members }

/** No event contains both a user and their choice, or any number before the results. (A4, A5) */
export type AwardEvent =
  | Event<'award.created', { after: OfEdition }>
  | Event<'award.updated', Changed<OfEdition>>
  | Event<'award.deleted', { before: OfEdition }>
  | Event<
      'award.phase_changed',
      {
        before: { readonly status: EditionStatus }
        after: {
          readonly status: EditionStatus
          readonly reason?: string
          readonly runoffCategories?: readonly string[]
        }
      }
    >
  | Event<'award.published'>
  | Event<'award.category_created', { after: OfCategory & { readonly category: string } }>
  | Event<'award.category_updated', { before: OfCategory; after: OfCategory & { readonly category: string } }>
  | Event<'award.category_deleted', { before: OfCategory & { readonly category: string } }>
  | Event<'award.categories_ordered', { after: { readonly categories: readonly string[] } }>
  /** Contains neither author nor target, because nobody may learn who nominated. */
  | Event<'award.nominated', { subject: null }>
  | Event<'award.nomination_withdrawn', { subject: null }>
  | Event<'award.nominee_created', { after: OfNominee & { readonly nominee: string; readonly category: string } }>
  | Event<'award.nominee_updated', { before: OfNominee; after: OfNominee & { readonly nominee: string } }>
  | Event<'award.nominee_deleted', { before: OfNominee & { readonly nominee: string } }>
  | Event<'award.nominee_declined', { after: { readonly nominee: string } }>
  /** The first vote of a user in an edition. It touches no record, so no follower is notified. (A5) */
  | Event<'award.voted', { subject: null; after: { readonly edition: string } }>
  | Event<'award.user_excluded', { after: { readonly user: string; readonly reason: string } }>
  | Event<'award.exclusion_lifted', { before: { readonly user: string } }>
  | Event<'award.exclusion_answered', { after: { readonly user: string } }>
  | Event<'award.corrected', { after: { readonly reason: string } }>
  | Event<'award.votes_deleted'>

declare module '../../../core/events.ts' {
  interface Events {
    awards: AwardEvent
  }
}

const edition = [
  'id',
  'title',
  'description',
  'bannerUrl',
  'nominationsOpenAt',
  'nominationsCloseAt',
  'votingOpensAt',
  'votingClosesAt',
  'publishAt',
  'rules',
] as const
const category = ['name', 'description', 'nomineeType', 'shortlistSize', 'badgeGuid', 'category'] as const
const nominee = ['label', 'imageUrl', 'link', 'description', 'targetGuid', 'nominee'] as const

export const awardsEvents: EventTable<AwardEvent> = {
  'award.created': { subject: 'award', members: everyMember(edition, 'private') },
  'award.updated': { subject: 'award', members: everyMember(edition, 'private') },
  'award.deleted': { subject: 'award', members: everyMember(edition, 'private') },
  'award.phase_changed': {
    subject: 'award',
    isPublic: true,
    members: { status: 'public', reason: 'private', runoffCategories: 'public' },
  },
  'award.published': { subject: 'award', isPublic: true },
  'award.category_created': { subject: 'award', members: everyMember(category, 'private') },
  'award.category_updated': { subject: 'award', members: everyMember(category, 'private') },
  'award.category_deleted': { subject: 'award', members: everyMember(category, 'private') },
  'award.categories_ordered': { subject: 'award', members: { categories: 'private' } },
  'award.nominated': { subject: null },
  'award.nomination_withdrawn': { subject: null },
  'award.nominee_created': { subject: 'award', members: everyMember([...nominee, 'category'] as const, 'private') },
  'award.nominee_updated': { subject: 'award', members: everyMember(nominee, 'private') },
  'award.nominee_deleted': { subject: 'award', members: everyMember(nominee, 'private') },
  'award.nominee_declined': { subject: 'award', members: { nominee: 'private' } },
  'award.voted': { subject: null, members: { edition: 'private' } },
  'award.user_excluded': { subject: 'award', members: everyMember(['user', 'reason'], 'private') },
  'award.exclusion_lifted': { subject: 'award', members: { user: 'private' } },
  'award.exclusion_answered': { subject: 'award', members: { user: 'private' } },
  'award.corrected': { subject: 'award', isPublic: true, members: { reason: 'public' } },
  'award.votes_deleted': { subject: 'award' },
}
