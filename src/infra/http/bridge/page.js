// Runs in browsers, on the machine of a player's game: reads the game, and tells the player's match how they do. (AS30)
// All that comes from the game or from users is shown as text.

import { isNamed, newToken, openByTicket, openSignedIn, takeTicket } from './opening.js'
import { addresses, initial, Pace, read } from './sources.ts'

const $ = (id) => document.getElementById(id)

const sourceNames = { bsplus: 'BeatSaberPlus', status: 'HTTP Status' }

/** Between two attempts to reach a source that is not there. */
const retryMs = 3_000
/** A value that does not change is told again before the service forgets it. */
const renewMs = 5_000
/**
 * Seconds between tellings of a result: the same one told again within two minutes changes nothing, and is answered with what the
 * others have told since.
 */
const tellAgainAfter = [5, 10, 25, 50]
/** Results that are shown. */
const maxSongs = 20

function alert(words) {
  $('alert').textContent = words
  $('alert').hidden = words === ''
}

function step(name, state, words) {
  $(`${name}-step`).dataset.state = state
  $(`${name}-words`).textContent = words
}

$('sign-in').addEventListener('click', () => {
  location.assign(`/api/auth/chat?${new URLSearchParams({ return_to: location.pathname + location.search })}`)
})

async function begin() {
  const ticket = takeTicket()
  if (ticket === null && !isNamed) {
    $('choose').hidden = false
    return
  }
  const token = ticket === null ? await newToken() : null
  if (ticket === null && token === null) {
    $('sign').hidden = false
    return
  }
  $('bridge').hidden = false
  try {
    const opened = await (ticket === null ? openSignedIn(token) : openByTicket(ticket))
    step('match', 'good', opened.words)
    bridge(opened)
  } catch (error) {
    step('match', 'bad', error.message)
    alert('The match cannot be opened. Check the link, or ask the operator of your match for another one.')
  }
}

const decisions = {
  accepted: 'The result was accepted.',
  rejected: 'The result was rejected.',
  superseded: 'Another result was taken.',
}

const neither = 'You are in neither team of this match: nothing is taken from you.'

function bridge({ me, accounts, found, senderOf }) {
  let status = 'connecting'
  let closing = ''
  let refusal = ''
  let refusedAt = 0
  let sent = 0
  let last = null
  let lastAt = 0
  /** Sources that are there; the first that was found is read, until it is gone. */
  const there = []
  let used = null
  const sender = senderOf({
    onSent() {
      sent++
      show()
    },
    onStatus(state, words = 'The tournament takes no more from this page. Open it again.') {
      status = state
      closing = words
      show()
    },
    onRefusal({ code, message }) {
      refusal = code === 'role.missing' || code === 'live.player_unknown' ? neither : message
      refusedAt = Date.now()
      show()
    },
  })

  const pace = new Pace(publish, () => performance.now())

  function publish(value) {
    lastAt = Date.now()
    // What was refused once is taken later: who plays may have been put right.
    if (refusedAt + renewMs < lastAt) refusal = ''
    sender.publish(value)
    show()
  }

  function show() {
    const { state, words } = gameWords(used, accounts)
    step('game', state, words)
    $('help').hidden = used !== null
    if (refusal !== '') step('send', 'bad', refusal)
    else if (status === 'closed') step('send', 'bad', closing)
    else if (status === 'waiting')
      step('send', 'bad', 'The connection to the tournament is lost. It is tried again; keep playing.')
    else if (state === 'bad') step('send', 'wait', 'Nothing is sent.')
    else if (sent === 0)
      step('send', 'wait', used === null ? 'Nothing is sent yet.' : 'Ready. It begins with your next song.')
    else step('send', 'good', `Your score is in your match: ${sent} updates sent.`)
  }

  function use(source) {
    if (used !== source) {
      pace.drop()
      if (last !== null) sender.publish(null)
      last = null
      sent = 0
      $('now').hidden = true
    }
    used = source
    show()
  }

  function showValue({ score, accuracy, combo, misses }) {
    $('now').hidden = false
    $('score').textContent = score === null ? '–' : score.toLocaleString('en')
    $('accuracy').textContent = accuracy === null ? '–' : `${(accuracy * 100).toFixed(2)} %`
    $('combo').textContent = combo ?? '–'
    $('misses').textContent = misses ?? '–'
  }

  function take(source, told) {
    if (told.type === 'player') {
      source.platformId = told.platformId
      source.game = told.game
      source.isKnown = true
      show()
      return
    }
    if (used !== source || !isRight(source, accounts)) return
    if (told.type === 'song') {
      const { name, difficulty } = told.song
      $('now').hidden = false
      $('song').textContent = [name, difficulty].filter((word) => word !== '').join(' · ')
      return
    }
    last = told.value
    showValue(last)
    pace.take(last)
    if (told.type === 'result') void tell(source, told.result)
  }

  /** Tells what a song came to; sent again until it is answered, and kept once. (AS31) */
  async function tell(source, result) {
    const item = document.createElement('li')
    const words = document.createElement('small')
    const how = { passed: '', failed: ', failed', quit: ', ended early' }[result.completion]
    item.textContent = `${result.name || 'A song'} (${result.difficulty}): ${result.score.toLocaleString('en')}${how}`
    item.append(words)
    $('results').hidden = false
    $('songs').prepend(item)
    while ($('songs').childElementCount > maxSongs) $('songs').lastElementChild.remove()
    if (result.hash === null) {
      words.textContent = 'Not sent: it is no custom map.'
      return
    }
    words.textContent = 'Is being sent …'
    try {
      const told = { ...result, source: source.name, platformId: source.platformId }
      const answer = await sender.tell(told)
      showTaken(words, answer)
      void lookAgain(words, told, answer)
    } catch (error) {
      words.textContent = `Not taken: ${error.message}`
    }
  }

  function showTaken(words, { players, status }) {
    words.textContent = ['Sent.', ...othersOf(players, me, found), decisions[status] ?? ''].join(' ').trim()
  }

  /** Whose games tell later are shown too, until somebody has decided. (AS31) */
  async function lookAgain(words, told, { status: first }) {
    let status = first
    for (const seconds of tellAgainAfter) {
      if (status in decisions) return
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
      try {
        const answer = await sender.tell(told)
        status = answer.status
        showTaken(words, answer)
      } catch {
        // It was taken; what is shown stays.
        return
      }
    }
  }

  setInterval(() => {
    if (last === null || (last.state !== 'playing' && last.state !== 'paused')) return
    if (used !== null && isRight(used, accounts) && Date.now() - lastAt >= renewMs) publish(last)
  }, 1_000)

  for (const name of Object.keys(addresses)) {
    const source = { name, platformId: null, game: null, isKnown: false }
    const open = () => {
      let state = initial
      const socket = new WebSocket(addresses[name])
      socket.addEventListener('open', () => {
        there.push(source)
        use(there[0])
      })
      socket.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') return
        const next = read(name, state, data, performance.now())
        state = next.state
        for (const told of next.told) take(source, told)
      })
      socket.addEventListener('close', () => {
        Object.assign(source, { platformId: null, game: null, isKnown: false })
        if (there.includes(source)) there.splice(there.indexOf(source), 1)
        use(there[0] ?? null)
        setTimeout(open, retryMs)
      })
    }
    open()
  }
  show()
}

/** What the games of the others have told of the same song so far. (AS31) */
function othersOf(players, me, { sides }) {
  return players
    .filter(({ userGuid }) => userGuid !== me.guid)
    .map(({ side, score }) => `${sides[side - 1]?.team?.name ?? 'The others'}: ${score.toLocaleString('en')}.`)
}

/** BeatSaberPlus tells whose game it is: nothing of another's is passed on. HTTP Status tells nobody's. (AS30) */
function isRight({ name, isKnown, platformId }, accounts) {
  return name === 'status' || (isKnown && platformId !== null && accounts.has(platformId))
}

function gameWords(source, accounts) {
  if (source === null) return { state: 'wait', words: 'Looking for your game on this machine …' }
  const name = sourceNames[source.name]
  const version = source.game === null ? '' : `, game ${source.game}`
  if (source.name === 'bsplus' && !source.isKnown) {
    return { state: 'wait', words: `${name} was found; waiting for it to tell whose game it is.` }
  }
  if (!isRight(source, accounts)) {
    const whose = source.platformId === null ? 'nobody knows whose' : `that of the player ${source.platformId}`
    const own =
      accounts.size === 0
        ? 'You have not linked a game account yet: link yours in your profile, then open this page again.'
        : `Yours is ${[...accounts].join(' or ')}.`
    return { state: 'bad', words: `This is not your game, but ${whose}. ${own} Nothing of it is sent.` }
  }
  const note = source.name === 'status' ? ' It does not tell whose game it is; make sure that it is yours.' : ''
  return { state: 'good', words: `${name} was found${version}.${note}` }
}

begin().catch((error) => alert(error.message))
