/** Puts the address of this service into the examples of a guide. */
import { ownAddress } from '../places.ts'

const texts = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT)
while (texts.nextNode()) {
  const text = texts.currentNode as Text
  if (text.data.includes(ownAddress)) text.data = text.data.replaceAll(ownAddress, location.origin)
}
