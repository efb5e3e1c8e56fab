import { describe, expect, it } from '@jest/globals';
import { type EventForMessage, IncompleteEventError, toMessageBody } from './message.js';

const subscription = { id: 21, uuid: 'uuid-of-subscription', topic: { id: 20, uuid: 'uuid-of-topic' } };
const options = { messageId: 'uuid-of-message', baseUrl: 'https://ats.example.com' };
const application: EventForMessage = {
  type: 'STATE_CHANGE_APPLICATION',
  subjectType: 'application',
  subjectId: 7,
  recruiterId: 3,
  occurredDt: new Date('2026-11-21T09:00:00.070Z'),
  facts: { 'application.app_type': 'vacancy_application', 'application.user.firstname': 'Ann' },
};
const posting: EventForMessage = {
  ...application,
  type: 'POSTING_UPDATE',
  subjectType: 'posting',
  facts: { 'posting.job_board.id': 11, 'posting.vacancy.id': 12 },
};

describe('toMessageBody', () => {
  it('is minified JSON of ids and URLs in a fixed order', () => {
    expect(toMessageBody(application, subscription, options)).toBe(
      '{"message_id":"uuid-of-message","timestamp":"2026-11-21T09:00:00.070Z",' +
        '"user":{"id":"3","url":"https://ats.example.com/api/v1/recruiters/3"},' +
        '"subscription":{"id":21,"url":"https://ats.example.com/api/v1/notification_topics/20/subscriptions/21","uuid":"uuid-of-subscription",' +
        '"topic":{"url":"https://ats.example.com/api/v1/notification_topics/20","uuid":"uuid-of-topic","id":20}},' +
        '"details":{"id":7,"url":"https://ats.example.com/api/v1/vacancy_applications/7",' +
        '"state_changes":{"url":"https://ats.example.com/api/v1/vacancy_applications/7/history"}}}',
    );
  });

  it('contains no personal data', () => {
    expect(toMessageBody(application, subscription, options)).not.toContain('Ann');
  });

  it('names the job board and the vacancy of a posting', () => {
    expect(JSON.parse(toMessageBody(posting, subscription, options))).toMatchObject({
      details: {
        id: 7,
        job_board: { id: 11, url: expect.stringMatching(/\/job_boards\/11$/) },
        vacancy: { id: 12, url: expect.stringMatching(/\/vacancies\/12$/) },
      },
    });
  });

  it.each([
    ['APPLICATION_CREATE', {}],
    ['APPLICATION_DELETE', { deleted: true }],
  ] as const)(
    'has the type %s, id and URL of its subject, and `deleted` when the subject was deleted',
    (type, more) => {
      const body = JSON.parse(toMessageBody({ ...application, type }, subscription, options)) as object;
      const url = 'https://ats.example.com/api/v1/vacancy_applications/7';
      expect(body).toMatchObject({ type, details: { id: 7, url, ...more } });
      expect(Object.keys((body as { readonly details: object }).details)).toEqual(['id', 'url', ...Object.keys(more)]);
    },
  );

  it.each<[EventForMessage, string]>([
    [{ ...application, facts: {} }, 'application.app_type'],
    [{ ...application, facts: { 'application.app_type': 'constructor' } }, 'application.app_type'],
    [{ ...application, subjectType: 'opportunity', facts: { 'opportunity.kind': null } }, 'opportunity.kind'],
    [{ ...posting, facts: { 'posting.job_board.id': 11 } }, 'posting.vacancy.id'],
    [{ ...posting, facts: { 'posting.job_board.id': '11', 'posting.vacancy.id': 12 } }, 'posting.job_board.id'],
  ])('rejects an event that lacks a value which the message needs (%#)', (event, datapath) => {
    expect(() => toMessageBody(event, subscription, options)).toThrow(new IncompleteEventError(datapath));
  });
});
