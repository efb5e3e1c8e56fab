// @ts-check
/**
 * Common first and last names of a culture in its own script, which are combined at random. A name in another script,
 * or with letters that an e-mail address cannot contain, has the form `name|Latin spelling`.
 *
 * @typedef {object} Culture
 * @property {readonly string[]} countries countries in which people of the culture live, see places.mjs
 * @property {string | null} language the language of these people in the service; null when they have not chosen one
 * @property {readonly string[]} first
 * @property {readonly string[]} last
 * @property {number} [double] share of people with two last names
 */

/**
 * Splits a text at its commas.
 * @param {string} text
 */
const list = (text) => text.trim().split(/\s*,\s*/);

/** @type {Readonly<Record<string, Culture>>} */
export const cultures = {
  english: {
    countries: ['GB', 'GB', 'US', 'US', 'AU', 'CA'],
    language: 'en',
    first:
      list(`Olivia, Amelia, Emily, Grace, Charlotte, Hannah, Lucy, Alice, Ruth, Megan, Chloe, Zoe, Abigail, Rachel, Victoria, Holly, Naomi, Imogen,
      George, Oliver, Harry, Jack, Thomas, James, William, Henry, Edward, Daniel, Samuel, Benjamin, Luke, Adam, Aaron, Toby, Martin, Simon, Peter, Nathan`),
    last: list(`Smith, Jones, Taylor, Brown, Williams, Wilson, Johnson, Davies, Robinson, Wright, Thompson, Evans, Walker, White, Roberts, Green, Hall,
      Wood, Jackson, Clarke, Patterson, Richardson, Harrison, Watson, Morrison, Simpson, Bennett, Cooper, Turner, Parker, Foster, Marsh, Fletcher, Barnes`),
    double: 0.05,
  },
  irish: {
    countries: ['IE', 'IE', 'GB', 'US'],
    language: 'en',
    first: list(
      `Aoife, Niamh, Róisín, Saoirse, Ciara, Sinéad, Orla, Maeve, Cillian, Oisín, Seán, Eoin, Pádraig, Conor, Declan, Ronan`,
    ),
    last: list(
      `O'Brien, O'Connor, O'Neill, O'Sullivan, O'Reilly, Murphy, Byrne, Ryan, Walsh, Doyle, McCarthy, Gallagher, Kavanagh, Mac Mahon`,
    ),
  },
  german: {
    countries: ['DE', 'DE', 'DE', 'AT', 'CH'],
    language: 'de',
    first:
      list(`Anna, Lena, Katharina, Sophie, Johanna, Franziska, Miriam, Jürgen|Juergen, Jörg|Joerg, Lukas, Maximilian, Jonas, Felix, Sebastian, Anke,
      Björn|Bjoern, Ulrike, Günther|Guenther, Tobias, Käthe|Kaethe, Annika, Moritz, Stefan, Hans-Peter, Anne-Kathrin`),
    last: list(`Müller|Mueller, Schmidt, Schneider, Fischer, Weber, Meyer, Wagner, Becker, Schulz, Hoffmann, Schäfer|Schaefer, Koch, Bauer, Richter, Klein,
      Schröder|Schroeder, Neumann, Krüger|Krueger, Weiß|Weiss, Groß|Gross, Köhler|Koehler, Zimmermann, Braun, von Bergen, Meyer-Lindner`),
    double: 0.06,
  },
  french: {
    countries: ['FR', 'FR', 'FR', 'BE', 'CA', 'CH'],
    language: 'fr',
    first:
      list(`Camille, Chloé, Élodie, Léa, Manon, Anaïs, Hélène, Zoé, Inès, Océane, François, Jérôme, Loïc, Théo, Hugo, Mathieu, Benoît, Rémi,
      Jean-Baptiste, Marie-Claire, Anne-Sophie, Gaëlle, Étienne, Aurélien`),
    last: list(`Martin, Bernard, Dubois, Thomas, Robert, Petit, Durand, Leroy, Moreau, Lefèvre, Fournier, Girard, Bonnet, Lambert, Rousseau, Faure, Mercier,
      Chevalier, François, Legrand, Gauthier, d'Arcy, de La Fontaine, L'Hermite, Beaulieu`),
    double: 0.05,
  },
  spanish: {
    countries: ['ES', 'ES', 'MX', 'US'],
    language: 'es',
    first:
      list(`Lucía, María, Sofía, Carmen, Elena, Inés, Begoña, Ana Belén, José, Andrés, Álvaro, Iñaki, Joaquín, Martín, Sebastián, Raúl, Íñigo, Ximena,
      Guadalupe, Mateo, Diego, Nicolás, Valentina, José Luis`),
    last: list(`García, Martínez, López, Sánchez, González, Pérez, Rodríguez, Fernández, Gómez, Díaz, Muñoz, Álvarez, Romero, Núñez, Ibáñez, Ortega, Castaño,
      Peña, Vázquez, Cortés, Ríos, Domínguez, Ruiz`),
    double: 0.7,
  },
  portuguese: {
    countries: ['PT', 'PT', 'BR'],
    language: null,
    first: list(
      `João, Inês, Beatriz, Gonçalo, Tiago, Luísa, Conceição, Rui, Catarina, António, Mónica, Vítor, Simão, Leonor`,
    ),
    last: list(
      `Silva, Santos, Ferreira, Pereira, Oliveira, Costa, Rodrigues, Gonçalves, Magalhães, Simões, Conceição, Araújo, dos Santos, da Costa`,
    ),
    double: 0.4,
  },
  italian: {
    countries: ['IT', 'IT', 'CH', 'DE'],
    language: null,
    first: list(
      `Giulia, Francesca, Chiara, Martina, Alessia, Niccolò, Lorenzo, Matteo, Giuseppe, Davide, Elisabetta, Ludovica, Tommaso, Salvatore`,
    ),
    last: list(
      `Rossi, Russo, Ferrari, Esposito, Bianchi, Romano, Colombo, Ricci, De Luca, D'Angelo, Dell'Orto, Lo Presti, Conti, Marchetti, Galli`,
    ),
  },
  nordic: {
    countries: ['SE', 'SE', 'DK', 'NO'],
    language: null,
    first: list(
      `Astrid, Ingrid, Sigrid, Freja, Linnéa, Märta, Åsa, Søren|Soeren, Lars, Bjørn|Bjoern, Åke|Aake, Nils, Jørgen|Joergen, Håkan|Haakan, Ebba, Kjersti, Magnús, Þóra|Thora`,
    ),
    last: list(`Andersson, Johansson, Karlsson, Nilsson, Eriksson, Lindström|Lindstroem, Öberg|Oeberg, Sjögren|Sjoegren, Åkesson|Aakesson, Hansen, Jørgensen|Joergensen, Sørensen|Soerensen,
      Østergaard|Oestergaard, Ødegård|Oedegaard`),
  },
  dutch: {
    countries: ['NL', 'NL', 'BE'],
    language: null,
    first: list(`Sanne, Lotte, Femke, Anouk, Daan, Sem, Bram, Thijs, Joost, Maarten, Liselotte, Noor, Zoë, Jan-Willem`),
    last: list(
      `de Jong, Jansen, de Vries, van den Berg, van Dijk, Bakker, Visser, van der Meer, 't Hart, in 't Veld, Hendriks, Kuijpers, ter Horst`,
    ),
  },
  polish: {
    countries: ['PL', 'PL', 'GB', 'DE'],
    language: null,
    first: list(
      `Agnieszka, Małgorzata|Malgorzata, Zofia, Katarzyna, Łucja|Lucja, Paweł|Pawel, Krzysztof, Michał|Michal, Wojciech, Grzegorz, Stanisław|Stanislaw, Jadwiga, Bożena`,
    ),
    last: list(
      `Nowak, Wójcik, Mazur, Krawczyk, Zając, Dudek, Wróbel, Sikora, Pawlak, Król|Krol, Wieczorek, Gołąb|Golab, Krawczyk-Nowak`,
    ),
  },
  czechWomen: {
    countries: ['CZ', 'CZ', 'DE'],
    language: null,
    first: list(`Tereza, Eliška, Markéta, Zdeňka, Žaneta, Božena`),
    last: list(`Nováková, Svobodová, Dvořáková, Černá, Procházková, Kučerová, Horáková, Růžičková, Šťastná`),
  },
  czechMen: {
    countries: ['CZ', 'CZ', 'DE'],
    language: null,
    first: list(`Jiří, Ondřej, Tomáš, Lukáš, Vojtěch, Štěpán`),
    last: list(`Novák, Svoboda, Dvořák, Černý, Procházka, Kučera, Horák, Růžička, Němec, Říha`),
  },
  hungarian: {
    countries: ['HU', 'HU', 'AT'],
    language: null,
    first: list(`Eszter, Zsófia, Réka, Ágnes, László, Zoltán, Gergő, Balázs, Bence, Ildikó, Örs`),
    last: list(`Nagy, Kovács, Tóth, Szabó, Horváth, Varga, Kiss, Molnár, Németh, Farkas, Győri, Erdős`),
  },
  turkish: {
    countries: ['TR', 'TR', 'DE', 'DE'],
    language: null,
    first: list(
      `Ayşe, Elif, Zeynep, Fatma, Özlem, Çiğdem, Gülşen, Mehmet, Emre, Oğuz, Çağrı|Cagri, Işıl|Isil, İbrahim|Ibrahim, Şule, Uğur, Ümit, Kerem`,
    ),
    last: list(
      `Yılmaz|Yilmaz, Kaya, Demir, Çelik, Şahin, Yıldız|Yildiz, Öztürk, Aydın|Aydin, Arslan, Doğan, Kılıç|Kilic, Aslan, Çetin, Koç, Güneş`,
    ),
  },
  indian: {
    countries: ['IN', 'IN', 'GB', 'US', 'CA'],
    language: 'en',
    first: list(
      `Ananya, Priya, Aditi, Kavya, Meera, Lakshmi, Divya, Sneha, Arjun, Rohan, Vikram, Rahul, Karthik, Sanjay, Harpreet, Gurpreet, Deepak, Nikhil, Farah, Imran`,
    ),
    last: list(
      `Sharma, Patel, Singh, Kumar, Gupta, Iyer, Nair, Reddy, Rao, Mehta, Desai, Chatterjee, Mukherjee, Krishnan, Kaur, Joshi, Khan, Fernandes, Venkataraman`,
    ),
  },
  devanagari: {
    countries: ['IN'],
    language: 'en',
    first: list(`अनन्या|Ananya, प्रिया|Priya, अर्जुन|Arjun, रोहन|Rohan, मीरा|Meera`),
    last: list(`शर्मा|Sharma, वर्मा|Verma, गुप्ता|Gupta, जोशी|Joshi, मिश्रा|Mishra`),
  },
  chinese: {
    countries: ['CN', 'SG', 'GB', 'US'],
    language: null,
    first: list(
      `Wei, Fang, Min, Jing, Xiaoming, Yuxin, Haoran, Zihan, Jiayi, Li Na, Xuelin, Guoqiang, Meiling, Zhiyuan`,
    ),
    last: list(`Wang, Li, Zhang, Liu, Chen, Yang, Huang, Zhao, Wu, Zhou, Lü|Lyu, Ouyang, Zheng, Xu`),
  },
  han: {
    countries: ['CN', 'SG'],
    language: null,
    first: list(`伟|Wei, 芳|Fang, 秀英|Xiuying, 敏|Min, 静|Jing, 雨欣|Yuxin, 浩然|Haoran, 子涵|Zihan, 志强|Zhiqiang`),
    last: list(`王|Wang, 李|Li, 张|Zhang, 刘|Liu, 陈|Chen, 杨|Yang, 欧阳|Ouyang, 黄|Huang, 吕|Lyu`),
  },
  japanese: {
    countries: ['JP', 'JP', 'US'],
    language: null,
    first: list(
      `さくら|Sakura, 陽菜|Hina, 結衣|Yui, 健太|Kenta, 翔|Sho, 大輔|Daisuke, 美咲|Misaki, Yūki|Yuki, Haruto, Keiko`,
    ),
    last: list(
      `佐藤|Sato, 鈴木|Suzuki, 高橋|Takahashi, 田中|Tanaka, 伊藤|Ito, 渡辺|Watanabe, 山本|Yamamoto, Kobayashi, Ōno|Ono`,
    ),
  },
  korean: {
    countries: ['KR', 'KR', 'US'],
    language: null,
    first: list(`민준|Minjun, 서연|Seoyeon, 지우|Jiwoo, 하은|Haeun, Ji-hoon, Soo-jin, Eun-ji, Min-seo`),
    last: list(`김|Kim, 이|Lee, 박|Park, 최|Choi, 정|Jung, Kang, Yoon, Han`),
  },
  vietnamese: {
    countries: ['VN', 'FR', 'US'],
    language: null,
    first: list(`Linh, Hương, Thảo, Đức|Duc, Quân, Tuấn, Ngọc Ánh, Bảo Châu, Minh Khôi, Thị Mai`),
    last: list(`Nguyễn, Trần, Lê, Phạm, Huỳnh, Võ, Đặng|Dang, Bùi, Đỗ|Do`),
  },
  arabic: {
    countries: ['AE', 'EG', 'MA', 'FR'],
    language: 'ar',
    first: list(
      `Fatima, Layla, Noor, Yasmin, Salma, Amina, Omar, Khalid, Youssef, Hassan, Tariq, Karim, Rania, Zaynab, Abd al-Rahman`,
    ),
    last: list(
      `Al-Masri, El-Amin, Haddad, Khalil, Mansour, Nasser, Saleh, Benali, Al-Hashimi, Abdallah, Darwish, Ben Youssef`,
    ),
  },
  arabicScript: {
    countries: ['AE', 'EG', 'JO'],
    language: 'ar',
    first: list(
      `فاطمة|Fatima, ليلى|Layla, نور|Noor, مريم|Maryam, أحمد|Ahmad, محمد|Mohammad, عمر|Omar, يوسف|Youssef, خالد|Khalid, سارة|Sara`,
    ),
    last: list(
      `المصري|Al-Masri, حداد|Haddad, خليل|Khalil, منصور|Mansour, ناصر|Nasser, صالح|Saleh, الهاشمي|Al-Hashimi, درويش|Darwish`,
    ),
  },
  hebrew: {
    countries: ['IL'],
    language: null,
    first: list(`נועה|Noa, תמר|Tamar, יעל|Yael, דוד|David, איתן|Eitan, אורי|Uri, שירה|Shira`),
    last: list(`כהן|Cohen, לוי|Levi, מזרחי|Mizrahi, פרץ|Peretz, ביטון|Biton, אברהם|Avraham`),
  },
  persian: {
    countries: ['GB', 'DE', 'US'],
    language: null,
    first: list(`Shirin, Parisa, Nasrin, Leila, Dariush, Reza, Kourosh, Babak, Azadeh`),
    last: list(`Ahmadi, Hosseini, Karimi, Moradi, Rahimi, Tehrani, Farahani, Ebrahimi`),
  },
  greek: {
    countries: ['GR', 'DE'],
    language: null,
    first: list(`Ελένη|Eleni, Μαρία|Maria, Σοφία|Sofia, Γιώργος|Giorgos, Νίκος|Nikos, Κώστας|Kostas, Δήμητρα|Dimitra`),
    last: list(
      `Ιωάννου|Ioannou, Δημητρίου|Dimitriou, Γεωργίου|Georgiou, Νικολάου|Nikolaou, Οικονόμου|Oikonomou, Αθανασίου|Athanasiou`,
    ),
  },
  ukrainian: {
    countries: ['UA', 'PL', 'DE'],
    language: null,
    first: list(
      `Олена|Olena, Оксана|Oksana, Наталія|Nataliia, Дмитро|Dmytro, Андрій|Andrii, Богдан|Bohdan, Юлія|Yuliia, Iryna, Taras`,
    ),
    last: list(
      `Шевченко|Shevchenko, Коваленко|Kovalenko, Бондаренко|Bondarenko, Ткаченко|Tkachenko, Кравченко|Kravchenko, Melnyk, Lysenko`,
    ),
  },
  westAfrican: {
    countries: ['NG', 'GH', 'GB', 'US'],
    language: 'en',
    first: list(
      `Chiamaka, Ngozi, Adaeze, Ifeoma, Yetunde, Folasade, Abena, Akosua, Chukwuemeka, Obinna, Oluwaseun, Babatunde, Kwame, Kofi, Ṣadé|Sade`,
    ),
    last: list(
      `Okafor, Eze, Nwosu, Adeyemi, Balogun, Okonkwo, Adébáyọ̀|Adebayo, Mensah, Owusu, Boateng, Asante, Onyekachi-Bello`,
    ),
  },
  francophoneAfrican: {
    countries: ['SN', 'FR', 'FR', 'BE'],
    language: 'fr',
    first: list(`Aïssatou, Fatoumata, Mariama, Awa, Mamadou, Ousmane, Cheikh, Ibrahima, Moussa, Adama`),
    last: list(`Diallo, Traoré, Ndiaye, Diop, Koné, Coulibaly, N'Diaye, N'Guessan, Sow, Camara`),
  },
  eastAfrican: {
    countries: ['KE', 'KE', 'GB'],
    language: 'en',
    first: list(`Wanjiru, Achieng, Njeri, Makena, Kamau, Otieno, Mwangi, Juma, Baraka, Zawadi`),
    last: list(`Mwangi, Otieno, Kamau, Ochieng', Wanjiku, Njoroge, Kiprotich, Ng'ang'a, Abdi`),
  },
  polynesian: {
    countries: ['NZ', 'AU', 'US'],
    language: 'en',
    first: list(`Kahurangi, Māia, Aroha, Tāne, Wiremu, Leilani, Keoni, Kaʻiulani|Kaiulani`),
    last: list(`Tāmati, Parata, Ngata, Kāwharu, Kealoha, Kahananui, Akana`),
  },
};
