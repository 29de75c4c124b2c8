"""How common English words are in news: the part of a hundred articles that a stem stands in.

Made by `tools/count_common_words.py` from the 6,000 background articles of the mixed-dev set; do not edit. The candidate
index starts from these counts, so that the first articles of a day are not compared by "people" and "year".
"""

from __future__ import annotations

from typing import Final

COMMON_STEMS: Final[dict[int, str]] = {
    40: """
        it like make nation new peopl presid state time year
    """,
    30: """
        back call come countri day elect even first get go govern includ last mani polit report right support take
        week work
    """,
    22: """
        administr ask campaign chang continu don't end feder former group help issu know law leader look made major
        month much need news offic offici part parti plan point polici presidenti public question see show still
        stori think tri use vote want way well
    """,
    16: """
        act action among anoth appear attack believ bill candid care case clear close conserv critic deal decis
        effort everi expect face far follow forc general give good health high increas job lead long mean member
        million move near next number open percent person place post power press put recent respons run say secur
        sign start statement talk that thing though three top voter whether without world
    """,
    12: """
        ago allow alreadi announc around author base becom better big busi came challeng chief claim concern consid
        control court current debat didn't differ direct doesn't earli earlier effect enough fact famili fight find
        found four hand happen he head hold home hope immigr import interest interview investig justic keep larg
        later lawmak least left legal legisl less line littl live lot media meet never night note order other pass
        past play poll posit possibl problem program protect provid push race rais reason record relat releas
        remain repres result rule second secretari seem servic set sever side someth speak stop suggest system tax
        tell term there took turn view war win yet
    """,
    9: """
        account accus across actual address advis agenc agre aid almost approv argu attempt away begin behind best
        build can't caus certain chairman charg citi comment communiti compani congression creat cut decad decid
        defend defens describ despit director discuss done econom economi event ever evid execut fail final fire
        five focus foreign free full fund futur given got great hard hear held himself histori hour howev idea imag
        inform instead involv isn't key kill kind known late leav led let level liber life man mark matter measur
        messag militari money morn name nomine offer often old oper opinion organiz particular pay potenti primari
        privat process promis propos rate reach read real realli receiv reform requir respond school seek seen
        senior serv short social speech spend stand step strong sure target they'r threat toward tweet video warn
        watch we'r went word wrote
    """,
    7: """
        abl add addit ahead alleg alli along alway answer anti anyth approach attorney bad battl began benefit
        billion black border break bring budget chanc children citizen commit confer confirm constitut controversi
        cost cours crisi death demand deni detail develop either email enforc especi explain express fall favor
        fear feel figur file friend front governor ground grow gun half hit human individu intellig join latest
        limit list local lost low manag market middl minor moment nomin noth opportun oppos opposit outsid polic
        prevent previous progress quick rather remark repeat return rise risk role serious share signific similar
        six small someon sourc special specif staff stay success taken team third thought togeth understand vice
        victori whose women won won't worker
    """,
    5: """
        accept access acknowledg activ activist advanc advoc age agenda agreement aim air although amend amid
        amount anyon appar appeal area aren't argument arm arriv attent averag avoid ban becam beyond biggest
        bipartisan blame block board book brief brought cannot caption carri central check choic cite civil class
        co colleg com common compar complet conduct convent convers count cover coverag crime crimin crowd damag
        danger data dead declar declin deliv determin die difficult district document dollar dozen drop due educ
        eight els employ employe engag enter entir establish everyon everyth exact exampl exchang exist expand
        experi expert fair financi form forward freedom gain gather gave global goal goe higher highlight histor
        host hundr identifi illeg immedi impact impeach incom independ indic industri initi insid insist insur
        internat judg lack launch lawyer leadership learn letter lie longer lose love lower main mass medic men
        mind minut movement negoti network oppon origin page paid partisan perform perhap period phone pick
        politician popular practic prepar present pressur pro probabl produc product project protest publish pull
        ralli re reduc refer refus reject replac request research respect rest reveal review room saw schedul self
        send sens sent separ seri seven shift shoot shot simpli singl sit situat soon spent spoke spokesman stage
        standard strategi strike struggl student studi surpris terror test th thank themselv thousand threaten tie
        toggl total trade travel true urg violat violenc visit voic wait wall wasn't we'v weapon weekend what whole
        wide woman worri write wrong you'r young
    """,
    4: """
        abil achiev admit affair affect al analysi analyst appli articl assault assist attend bank basic bid bit
        buy capit caucus celebr chamber colleagu collect communic condit confid connect contest contribut
        coronavirus corpor counsel counti coupl cultur defeat demonstr design divid door doubl doubt drive elector
        emerg energi ensur equal era essenti estim evening except extrem eye fellow field firm fix floor game
        generat gone grant growth handl hasn't heard huge ignor improv influenc journalist labor light listen loss
        massiv met minist moder most multipl natur non nuclear obvious occur one option parent path piec popul
        predict pretti price prime professor promot prove quit rang rank readi realiti reflect regard region regul
        relationship remov resid restrict rival rough save seat secret session signal site sometim son sort sought
        sound spread status subject summer suppos survey suspect terrorist throughout tough town track tradit train
        troubl truth ultim unlik updat usual valu victim walk will wing wors wouldn't yes
    """,
    3: """
        abort abov absolut abus ad advantag afternoon agent aggress alon altern annual appoint appropri arrest
        audienc avail background balanc ballot bar beat belief bomb boost broad broke car career cast centuri choos
        climat coalit combat combin command compromis conclud conflict confront consequ consist consult consum
        contact contain contend content convinc cooper correct couldn't credit cross custom cycl date debt deep
        deepli defin delay deleg democraci depend deputi destroy diplomat dismiss divis domest domin donor dramat
        draw drug earn easi editor embrac emergenc encourag endors eventu extend failur faith fals familiar father
        felt fill financ fiscal food frustrat fuel fulli greater guy harm hate heart highest hire honor hospit hurt
        ideolog implement impos incid instanc intend intent internal introduc invest kept knew land languag larger
        largest lean link maintain mandat margin mayb meant mention midterm miss mission motiv murder necessari
        negat neither newslett nine none normal object obtain ongo onlin outcom overal overwhelm pandem panel paper
        particip partner peac pictur pledg poor prais principl prioriti prison probe profil prompt prosecutor
        prospect provis purpos quot racial radic ran recess recogn red regular relief rememb renew repeal resign
        resourc retir revenu rhetor roll round safe safeti scandal scene search select sell sexual she shock shut
        shutdown simpl skeptic slow societi solut southern star strategist suffer surround swing tactic task
        technolog televis ten testifi they'v trail treat trial trillion troop trust type undermin unemploy version
        veteran via vow wage wake water wave we'll websit whatev wife wit worst worth written
    """,
    2: """
        abandon accomplish adopt adult alarm alert ambassador anger angri anonym anticip apart apolog applic asid
        assert assess assum assur awar bare basi behavior bias bigger billionair blast blow blue bodi born bottom
        branch broader broken brother built camp cancel captur cash caught chair channel cheer child church
        citizenship clash classifi clean closer code collaps comfort compet competit complain complaint complex
        complic comprehens conclus condemn confus consider construct contract contrast convict coordin core corrupt
        counter credibl crucial daughter deadlin deficit definit degre deport deserv desir digit disagre disappoint
        disast diseas display disput distanc divers doctor draft dream drew driven duti eager easier easili echo
        economist edg elimin enact enemi enjoy entitl environment error escal everybodi examin exclus exercis
        expens explos expos extens facil factor fake famous fast featur fell fewer fine finish fit flag fli folk
        formal fought founder fourth frequent fundament fundrais gap gas gay gotten green guarante guard hall happi
        harder haven't he'd he'll headlin healthcar heat heavi heavili hide hot husband ident ill imagin imposs
        incumb indict infrastructur inquiri inspir integr intens interfer invit joint judici jump kick kid knowledg
        laid lawsuit lay leak legislatur liberti lift lobbi locat longtim loom magazin mail mainstream manufactur
        marriag match materi memo memori mere mid mile minimum missil mistak mix mobil model modern momentum
        monitor moral mother mount narrat narrow nationwid neighbor newspap nobodi notic observ offens oil otherwis
        outlet outlin outrag overhaul oversight own owner packag pain park partial passag patient payment percentag
        perfect perman permiss permit platform pleas plus pose pre prefer prior privaci procedur proceed profession
        profit prohibit promin prosecut punish purchas pursu qualifi quarter quiet racist radio rare reaction
        realiz recal recommend reelect regim regist reli religi remind reopen resist resolut resolv restor revers
        rich road root rose runner rush sale sanction scale scienc scientist score season sector seiz sentenc sex
        shape sharp shouldn't shown signatur size slight smaller space spark specul split spokeswoman sponsor spot
        staffer stake stick stock stood store straight stronger struck style succeed sudden suit summit super
        suppli surg surveil surviv suspend sustain sweep tabl taxpay tear tend tension terribl territori testimoni
        theori throw thus today tone tool topic touch tout transit treatment trend trip truli twice typic unclear
        unless unpreced unusu various vast vehicl violent virtual virus vision vulner weak wealthi wear weigh
        welcom weren't who winner wish wonder wound zero
    """,
    1: """
        abroad absurd academ accord accur actor adjust admir admiss advic advocaci affili affirm afraid aftermath
        afterward agricultur aircraft airport aisl alien align aliv allianc alongsid alter amnesti anchor
        anniversari anybodi anyway anywher applaud appreci art aspect assembl asset asylum attach attitud attract
        attribut automat avert await award babi backer backlash balk ball barrier battleground bear beauti begun
        behalf belong bet birth bitter blog blood blunt boast bold bolster bond boss bound box boy brand breach
        breath bridg broadcast brutal bulli burden burn businessman cabl calcul calm camera campus cancer candidaci
        cap capabl capac carbon card catch caution ceil ceremoni chain champion chao charact character chemic chip
        chose chosen circl circumst civilian client cliff clinic clip closest coast cold collus color column
        columnist commentari commerci comparison compel compli comput conced concept concess congressman consensus
        conspiraci constant constitu contenti context contractor contradict contrari contributor cool cop copi
        corner correspond counterpart courag crack craft crash crazi creation crew cri crush curb custodi dark de
        dedic deduct deem defi defund delet deliber demograph denounc departur deploy depress desk desper destruct
        detain devast devic devot dictat dig dinner disabl disagr disappear disapprov disastr disclos disclosur
        discov discrimin disrupt dissent distinct distract distribut disturb dog donat downplay drag drama drawn
        driver drone dynam earth eas eastern edit editori elder electr element elig elit elsewher embarrass embassi
        emot emphas enabl encount endur engin enorm enrol entertain enthusiasm enthusiast entri environ epidem
        episod equip erupt escap estat ethic evalu evil ex exceed excess excit excus exempt exit expans experienc
        expir explan explicit exploit explor export extent extra extraordinari extremist fallen fan fashion faster
        fatal fate fault favorit fed fee feed feet femal fierc fifth fighter filibust film firearm flat flaw flee
        flight flip flood flow foot forecast forget forth fortun forum frame fraud fresh fulfil function gang gear
        gender giant gift girl globe grab graduat grand greatest greet grew grown guess guest guid guidanc guidelin
        guilti gunman gut hack hadn't hail halt hammer hang harass harsh headquart healthi hell hero herself hike
        hint holiday honest hostil hotel household https hunt ideal illustr immun implic impress inappropri inaugur
        inbox incent incred inequ inevit infect inflat influenti injur injuri innoc innov inspector instal instruct
        insult intellectu intensifi interact interpret interven intervent investor invok iron isol item jail joke
        judgment juri justifi knock label ladi laugh legaci legitim lengthi lesson leverag libertarian licens liter
        loan lobbyist lock loophol loud lowest machin male manner map marri mask massacr mate meaning meddl mental
        merit mess method migrant migrat milit mine mislead mock modest motion movi myself nativ nearbi necessarili
        neighborhood net neutral nevertheless newli nice nonprofit norm northern notabl notion numer oblig obstruct
        occasion odd offend older onto op opt optim optimist ordinari orient ought ourselv oust outbreak overnight
        overse oversea overturn owe pace pack paint pair partnership passion patriot pattern paus penalti pend
        perceiv persist personnel perspect persuad phase photograph phrase physic pic pipelin pitch pivot plain
        plane planet plant player plea plead plenti plot pocket polar pollster pool pop populist portion portray
        possess pour poverti prayer preced precis predecessor premium presenc preserv presum presumpt prevail
        primarili privileg profound proof proper properti prosper proud proven punch pundit purport qualiti quo
        racism rage rail ramp rape rapid react reader rebel recov recoveri recruit reduct referendum refuge regain
        regardless reiter relev reliabl religion reluct repli reprint reput rescu resort restaur resum retail
        retain retali retreat revel revis reviv revolut ride rifl riot rip robust rock rout routin rumor rural sad
        sampl sat scare scenario scheme scholar scope scrambl screen scrutini sea seal section sensit sentiment
        server settl shake shame sharpli shield ship shooter shop shout showdown shrink sick sight silenc silent
        skill slam slash slate smart smoke socialist sold soldier sole solid solv somebodi somehow somewhat speed
        spi spike spin spirit spoken spokesperson sport spotlight spring squar stabil stall stanc stark statewid
        station statist steadi steel stem stimulus stir storm strang strateg stream strength strengthen stress
        stretch strict string strip strongest structur stuck stuff stun stupid submit subpoena subscrib subsequ
        subsidi substanc substanti suffici suicid suppress surfac swift switch symbol tackl tank tap tape tariff
        teach teacher tech technic teenag telephon temporari temporarili tenur text theater theme therefor they'd
        they'll threshold ticket tight tighten tip titl toler toll tonight tougher tour traffic tragedi transcript
        transfer transform translat transpar transport tremend trigger truck tune turnout twist unabl unaccept
        uncertainti unconstitut underscor understood undocu unexpect unfair unfold unfortun unifi uniqu uniti
        universal unpopular unveil up upcom upheld uphold upper upset urban urgent user vacat valid varieti verifi
        versus vet veto viral visa vital volunt vs warm warrant wast watchdog weaken wealth web weight welfar
        whistleblow wider widespread wild willing wind window withdraw wrap writer you'll you'v younger zone
    """,
}
