import { afterAll, beforeAll, expect, test } from 'vitest'
import { editionBody, makeAwards, step } from '../../../../test/awards.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { makeMedia, usesOf } from '../../../../test/media-rows.ts'
import { isAddressHeld } from '../../media/mirror/store.ts'

/**
 * Pictures of editions and nominees: own media of the right kind, or web addresses, which are shown through this
 * service. (M14, M25, M26)
 */

let api: Harness
let manager: Caller
let other: Caller
beforeAll(async () => {
  api = await startHarness()
  manager = await api.user({ globalRoles: ['global:badges:manage'] })
  other = await api.user({ globalRoles: ['global:badges:manage'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const update = async (guid: string, changes: object) => {
  const { updatedAt: expectedUpdatedAt } = (await api.get(`/awards/${guid}`, manager)).body
  return api.patch(`/awards/${guid}`, manager, { expectedUpdatedAt, ...changes })
}

test('own media are in use while a record shows them, and end to be so with it', async () => {
  const banner = await makeMedia(api, 'award_image', { owner: manager })
  const made = await api.post('/awards', manager, editionBody({ bannerUrl: `${banner.url}`.replace('full', '128') }))
  expect(made.body.bannerUrl).toBe(banner.url)
  expect(await usesOf(api, banner)).toEqual({ uses: ['award.bannerUrl'], state: 'used' })
  expect(outcome(await update(made.body.guid, { bannerUrl: null }))).toEqual([200, null])
  expect(await usesOf(api, banner)).toEqual({ uses: [], state: 'unused' })
  await update(made.body.guid, { bannerUrl: banner.url })
  expect(outcome(await api.delete(`/awards/${made.body.guid}`, manager))).toEqual([204, null])
  expect(await usesOf(api, banner)).toEqual({ uses: [], state: 'unused' })

  const { path, categories } = await makeAwards(api, manager, { types: ['other'] })
  const nominees = `${path}/categories/${categories[0]}/nominees`
  const image = await makeMedia(api, 'award_image', { owner: manager })
  const one = (await api.post(nominees, manager, { label: 'One', imageUrl: image.url })).body
  expect(one.imageUrl).toBe(image.url)
  expect(await usesOf(api, image)).toEqual({ uses: ['award.imageUrl'], state: 'used' })
  // Another manager may keep the picture, although it is not theirs.
  expect((await api.patch(`${nominees}/${one.guid}`, other, { label: 'Uno', imageUrl: image.url })).status).toBe(200)
  await api.delete(`${nominees}/${one.guid}`, manager)
  expect(await usesOf(api, image)).toEqual({ uses: [], state: 'unused' })
  for (const wrong of [
    await makeMedia(api, 'badge_image', { owner: manager }),
    await makeMedia(api, 'award_image', { owner: other }),
  ]) {
    const refused = await api.post(nominees, manager, { label: 'One', imageUrl: wrong.url })
    expect(outcome(refused)).toEqual([400, 'media.reference_invalid'])
    expect(outcome(await update(path.slice('/awards/'.length), { bannerUrl: wrong.url }))).toEqual([
      400,
      'media.reference_invalid',
    ])
  }
})

test('who manages awards takes a picture out by deleting the medium, where the record may be changed', async () => {
  const [banner, image, late] = await Promise.all(
    [1, 2, 3].map(() => makeMedia(api, 'award_image', { owner: manager })),
  )
  const edition = await makeAwards(api, manager, { types: ['other'], changes: { bannerUrl: banner?.url } })
  const nominees = `${edition.path}/categories/${edition.categories[0]}/nominees`
  await api.post(nominees, manager, { label: 'One', imageUrl: image?.url })
  const two = (await api.post(nominees, manager, { label: 'Two', imageUrl: late?.url })).body
  const removed = async (medium?: { guid: string }) =>
    outcome(await api.delete(`/media/${medium?.guid}?detach=true`, other))
  const pictures = async () => {
    const { bannerUrl, categories } = (await api.get(edition.path, manager)).body
    return [bannerUrl, ...categories[0].nominees.map((one: { imageUrl: string | null }) => one.imageUrl)].filter(
      Boolean,
    )
  }
  await step(api, manager, edition.path, 'shortlisting')
  expect(await removed(image)).toEqual([204, null])
  expect((await pictures()).toSorted()).toEqual([banner?.url, late?.url].toSorted())
  // From `voting` on, nominees and their pictures are fixed; those of an edition are not.
  await step(api, manager, edition.path, 'voting')
  for (const status of ['voting', 'counting', 'published']) {
    await api.sql('update award_editions set status = $2 where guid = $1', [edition.guid, status])
    expect(outcome(await api.patch(`${nominees}/${two.guid}`, manager, { imageUrl: null })), status).toEqual([
      ...[409, 'award.phase_wrong'],
    ])
    const { body } = await api.get(`/media/${late?.guid}/usages`, manager)
    expect(body, status).toMatchObject([{ subject: 'award', guid: two.guid, field: 'imageUrl', mayDetach: false }])
    expect(await removed(late), status).toEqual([409, 'media.in_use'])
    const [mayDetach] = (await api.get(`/media/${banner?.guid}/usages`, manager)).body
    expect(mayDetach, status).toMatchObject({ field: 'bannerUrl', mayDetach: true })
  }
  expect(await removed(banner)).toEqual([204, null])
  expect(await pictures()).toEqual([late?.url])
})

test('an edition that comes to a phase in which it is not changed keeps the picture that is being taken out of it', async () => {
  const image = await makeMedia(api, 'award_image', { owner: manager })
  const edition = await makeAwards(api, manager, { types: ['other'] })
  const nominees = `${edition.path}/categories/${edition.categories[0]}/nominees`
  const { guid } = (await api.post(nominees, manager, { label: 'One', imageUrl: image.url })).body
  const fixing = `update award_editions set status = 'voting' where guid = $1`
  let removing: ReturnType<Harness['delete']> | undefined
  await whileHeld(api, [fixing, edition.guid], async (waiting) => {
    removing = api.delete(`/media/${image.guid}?detach=true`, manager)
    await waiting(1)
  })
  const refused = await removing
  expect(refused && outcome(refused)).toEqual([409, 'media.in_use'])
  expect(refused?.body.usages).toMatchObject([{ guid, field: 'imageUrl', mayDetach: false }])
  expect(await usesOf(api, image)).toEqual({ uses: ['award.imageUrl'], state: 'used' })
  expect((await api.get(edition.path, manager)).body.categories[0].nominees[0].imageUrl).toBe(image.url)
})

test('what is cancelled keeps its pictures, unless these are taken down', async () => {
  const [banner, image] = await Promise.all([1, 2].map(() => makeMedia(api, 'award_image', { owner: manager })))
  const edition = await makeAwards(api, manager, { types: ['other'], changes: { bannerUrl: banner?.url } })
  const nominees = `${edition.path}/categories/${edition.categories[0]}/nominees`
  await api.post(nominees, manager, { label: 'One', imageUrl: image?.url })
  expect((await step(api, manager, edition.path, 'cancelled', 'For the test.')).status).toBeLessThan(300)
  const owner = await api.user({ globalRoles: ['role:owner'] })
  expect(outcome(await update(edition.guid, { bannerUrl: null }))).toEqual([409, 'award.phase_wrong'])
  for (const medium of [banner, image]) {
    expect(outcome(await api.delete(`/media/${medium?.guid}?detach=true`, owner))).toEqual([409, 'media.in_use'])
    const taken = await api.post(`/admin/media/${medium?.guid}/takedown`, owner, { reason: 'It was asked for.' })
    expect(outcome(taken)).toEqual([204, null])
  }
  expect((await api.get(edition.path, manager)).body.bannerUrl).toBeNull()
})

test('pictures elsewhere are shown from here while a record names them', async () => {
  const [banner, image] = ['banner', 'image'].map(
    (name) => `https://pictures.example.org/${name}-${process.pid}.png`,
  ) as [string, string]
  const held = () => Promise.all([banner, image].map((url) => isAddressHeld(api.app.database.db, url)))
  expect(await held()).toEqual([false, false])
  const edition = await makeAwards(api, manager, { types: ['other'], changes: { bannerUrl: banner } })
  const nominees = `${edition.path}/categories/${edition.categories[0]}/nominees`
  const { guid } = (await api.post(nominees, manager, { label: 'One', imageUrl: image })).body
  expect(await held()).toEqual([true, true])
  await api.delete(`${nominees}/${guid}`, manager)
  await update(edition.guid, { bannerUrl: null })
  expect(await held()).toEqual([false, false])
})
