import { describe, expect, test } from 'vitest'
import type { ChatProfile, User } from '../types.ts'
import { changesFromChat, recordFromChat } from './sign-in.ts'

const cdnUrl = 'https://cdn.example.org'
const now = new Date('2026-05-01T18:00:00Z')

const profile = (changes: Partial<ChatProfile> = {}): ChatProfile => ({
  id: '210987654321098765',
  username: 'quaver',
  globalName: 'Quaver',
  avatarUrl: `${cdnUrl}/avatars/210987654321098765/aa.png`,
  email: null,
  emailVerified: false,
  isBot: false,
  ...changes,
})

const user = (changes: Partial<User> = {}): User => ({
  guid: '00000000-0000-4000-8000-000000000001',
  chatPlatformId: '210987654321098765',
  username: 'quaver',
  preferredName: 'Quaver',
  avatarUrl: `${cdnUrl}/avatars/210987654321098765/aa.png`,
  chatAvatarUrl: `${cdnUrl}/avatars/210987654321098765/aa.png`,
  description: '',
  pronouns: null,
  pronunciation: null,
  headset: null,
  grip: null,
  controllers: null,
  country: null,
  email: null,
  emailVerifiedAt: null,
  isBot: false,
  isPlaceholder: false,
  globalRoles: [],
  bannedAt: null,
  banReason: null,
  createdAt: now,
  updatedAt: now,
  ...changes,
})

describe('a first sign-in makes the record of what the chat platform says', () => {
  test.each<[string, Partial<ChatProfile>, boolean, object]>([
    [
      'the shown name becomes the preferred one',
      {},
      false,
      { username: 'quaver', preferredName: 'Quaver', globalRoles: [] },
    ],
    ['without a shown name the user name stands for it', { globalName: null }, false, { preferredName: 'quaver' }],
    [
      'a verified address counts',
      { email: 'q@example.org', emailVerified: true },
      false,
      { email: 'q@example.org', emailVerifiedAt: now },
    ],
    ['an unverified address does not', { email: 'q@example.org' }, false, { email: null, emailVerifiedAt: null }],
    ['an application’s account is a bot', { isBot: true }, false, { isBot: true }],
    ['an account that the installation names is an owner', {}, true, { globalRoles: ['role:owner'] }],
  ])('%s', (_what, changes, isOwner, expected) => {
    expect(recordFromChat({ profile: profile(changes), isOwner, cdnUrl }, now)).toMatchObject(expected)
  })
})

describe('a later sign-in changes', () => {
  const newPicture = `${cdnUrl}/avatars/210987654321098765/bb.png`
  const told = { avatarUrl: newPicture, chatAvatarUrl: newPicture }
  test.each<[string, Partial<User>, Partial<ChatProfile>, boolean, object]>([
    ['nothing where nothing differs', {}, {}, false, {}],
    ['the user name', {}, { username: 'quaver2' }, false, { username: 'quaver2' }],
    ['not the preferred name', { preferredName: 'Mine' }, { globalName: 'Theirs' }, false, {}],
    ['the picture', {}, { avatarUrl: newPicture }, false, told],
    [
      'the picture that the platform had dealt out',
      { avatarUrl: `${cdnUrl}/embed/avatars/3.png` },
      { avatarUrl: newPicture },
      false,
      told,
    ],
    [
      'not a picture from elsewhere, but what is known of the chat account’s',
      { avatarUrl: 'https://example.org/me.png' },
      { avatarUrl: newPicture },
      false,
      { chatAvatarUrl: newPicture },
    ],
    ['nothing where only another picture is shown', { avatarUrl: 'https://example.org/me.png' }, {}, false, {}],
    [
      'not the picture of another account that the user has set',
      { avatarUrl: `${cdnUrl}/avatars/42/aa.png` },
      { avatarUrl: newPicture },
      false,
      { chatAvatarUrl: newPicture },
    ],
    [
      'a missing address',
      {},
      { email: 'q@example.org', emailVerified: true },
      false,
      { email: 'q@example.org', emailVerifiedAt: now },
    ],
    ['no address to an unverified one', {}, { email: 'q@example.org' }, false, {}],
    [
      'not an address that is there, verified or not',
      { email: 'mine@example.org' },
      { email: 'q@example.org', emailVerified: true },
      false,
      {},
    ],
    ['a user to a bot', {}, { isBot: true }, false, { isBot: true }],
    ['not what an administrator has marked as a bot', { isBot: true }, {}, false, {}],
    [
      'a missing owner’s role, beside others',
      { globalRoles: ['role:dev'] },
      {},
      true,
      { globalRoles: ['role:dev', 'role:owner'] },
    ],
    ['no owner’s role that is there', { globalRoles: ['role:owner'] }, {}, true, {}],
    ['not the role of an owner who is named no more', { globalRoles: ['role:owner'] }, {}, false, {}],
  ])('%s', (_what, before, changes, isOwner, expected) => {
    expect(changesFromChat(user(before), { profile: profile(changes), isOwner, cdnUrl }, now)).toEqual(expected)
  })
})
