// @ts-check
import { cultures } from './cultures.mjs';
import { weights } from './random.mjs';

/** The cultures, each with the weight with which it is drawn. */
const shares = `english 26, german 13, french 9, spanish 8, indian 8, irish 3, italian 3, portuguese 3, nordic 4,
  dutch 3, polish 3, czechWomen 0.8, czechMen 0.8, hungarian 1, turkish 3, devanagari 0.5, chinese 3,
  han 1.5, japanese 1.5, korean 1.5, vietnamese 1.5, arabic 3, arabicScript 2, hebrew 0.7, persian 1,
  greek 1, ukrainian 1.5, westAfrican 2.5, francophoneAfrican 1.5, eastAfrican 1, polynesian 0.8`.split(/,\s+/);
export const cultureChoices = weights(
  shares.map((text) => {
    const [name = '', share] = text.split(' ');
    return [cultures[name], Number(share)];
  }),
);

/**
 * Draws the name of a person from a culture.
 * @param {import('./cultures.mjs').Culture} culture
 * @param {import('./random.mjs').Random} random
 */
export function personName(culture, random) {
  const [firstname, firstInLatin = firstname] = random.pick(culture.first).split('|');
  const [last, lastInLatin = last] = random.pick(culture.last).split('|');
  const [second, secondInLatin = second] = random.pick(culture.last).split('|');
  const isDouble = random.chance(culture.double ?? 0) && second !== last;
  const hyphen = culture === cultures.spanish || culture === cultures.portuguese ? ' ' : '-';
  const latin = `${lettersOf(firstInLatin)}.${lettersOf(isDouble ? `${lastInLatin}-${secondInLatin}` : lastInLatin)}`;
  return { firstname, lastname: isDouble ? `${last}${hyphen}${second}` : last, latin };
}

/** @type {Map<string, string>} */
const latinLetters = new Map();

/** Returns the letters of a name that an e-mail address can contain. @param {string} name */
function lettersOf(name) {
  let letters = latinLetters.get(name);
  if (letters === undefined) {
    letters = name
      .normalize('NFD')
      .toLowerCase()
      .replaceAll(/[^a-z-]/g, '');
    latinLetters.set(name, letters);
  }
  return letters;
}
